/** Which columns of a file could be the primary key, by their names. Others may be unique by chance. */
import { singular } from '../../../model/inflection.ts';

const keyName = /^(?:id|uuid|guid|key|code|sku|isbn|ean|iban|slug|nr|no|number|nummer)$/;

export function isKeyName(column: string, table: string): boolean {
  const name = plain(column);
  if (keyName.test(name)) return true;
  const [tableName, singularName] = [plain(table), plain(singular(table))];
  return [tableName, singularName].some((word) => name === `${word}id` || name === `${word}nr`);
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '');
}
