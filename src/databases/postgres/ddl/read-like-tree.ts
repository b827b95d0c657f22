/** LIKE in CREATE TABLE copies columns and other properties of another table. */
import { automaticName } from './read-index-tree.ts';
import type { Column, Table } from '../../../model/schema.ts';
import type { TreeContext } from './read-table-tree.ts';

/** Bits of the INCLUDING options in the parse tree. */
const including = {
  comments: 1,
  constraints: 1 << 2,
  defaults: 1 << 3,
  generated: 1 << 4,
  identity: 1 << 5,
  indexes: 1 << 6,
};

/** LIKE copies names, types and NOT NULL, and the rest only with INCLUDING. */
export function copyLike(table: Table, options: number, { body }: TreeContext): void {
  const has = (option: number): boolean => (options & option) !== 0;
  for (const column of table.columns) {
    const isKey = table.primaryKey?.columns.includes(column.name) === true;
    body.columns.push({ ...likeColumn(column, has), ...(isKey ? { nullable: false } : {}) });
  }
  if (has(including.constraints)) body.checks.push(...table.checks);
  if (!has(including.indexes)) return;
  if (table.primaryKey !== undefined) body.primaryKey = { columns: table.primaryKey.columns };
  for (const index of table.indexes) {
    const { comment: _comment, ...rest } = index;
    const name = index.constraint === true ? '' : automaticName(body.reference.localName, index);
    body.indexes.push({ ...(has(including.comments) ? index : rest), name });
  }
}

/** An identity column has no default; a serial column has one. */
function likeColumn(column: Column, has: (option: number) => boolean): Column {
  const { default: defaultText, generated, comment, ...rest } = column;
  const { autoIncrement: _auto, identityAlways: _always, numbering: _numbers, ...plain } = rest;
  const isNumbered = has(defaultText === undefined ? including.identity : including.defaults);
  return {
    ...(isNumbered ? rest : plain),
    ...(defaultText !== undefined && has(including.defaults) ? { default: defaultText } : {}),
    ...(generated !== undefined && has(including.generated) ? { generated } : {}),
    ...(comment !== undefined && has(including.comments) ? { comment } : {}),
  };
}
