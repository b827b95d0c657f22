/** Names by GORM's naming strategy, except those of columns and tables. */
import { createHash } from 'node:crypto';

import { columnName } from '../../model/go-names.ts';
import { plural } from '../../model/inflection.ts';

const hashLength = 8;

/** The parts of a name: `idx_<table>_<snake(name)>`. */
interface NameParts {
  readonly table: string;
  readonly name: string;
  /** Longer names are truncated and end in a hash of the whole name. */
  readonly maxLength: number;
}

export function indexName({ table, name, maxLength }: NameParts): string {
  return formatName('idx', { table, name: columnName(name), maxLength });
}

export function uniqueName({ table, name, maxLength }: NameParts): string {
  return formatName('uni', { table, name: columnName(name), maxLength });
}

export function checkName(parts: NameParts): string {
  return formatName('chk', parts);
}

export function foreignKeyName({ table, name, maxLength }: NameParts): string {
  return formatName('fk', { table, name: columnName(name), maxLength });
}

export function joinTableName(tag: string): string {
  return tag.toLowerCase() === tag ? tag : plural(columnName(tag));
}

function formatName(prefix: string, { table, name, maxLength }: NameParts): string {
  const whole = `${prefix}_${table}_${name}`.replaceAll('.', '_');
  if ([...whole].length <= maxLength) return whole;
  const hash = createHash('sha1').update(whole).digest('hex').slice(0, hashLength);
  return (
    Buffer.from(whole)
      .subarray(0, maxLength - hashLength)
      .toString() + hash
  );
}
