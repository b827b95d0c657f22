/** LIKE in CREATE TABLE: what a table takes over from another. */
import { automaticName } from './read-index-tree.ts';
import type { Column, Table } from '../../../model/schema.ts';
import type { TreeReading } from './read-table-tree.ts';

/** Bits of the options that INCLUDING sets. */
const including = {
  comments: 1,
  constraints: 1 << 2,
  defaults: 1 << 3,
  generated: 1 << 4,
  identity: 1 << 5,
  indexes: 1 << 6,
};

/** LIKE takes names, types and NOT NULL; the rest only where INCLUDING says so. */
export function takeOver(table: Table, options: number, { body }: TreeReading): void {
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

/** A column of an identity has numbers and no default; one of a sequence has both. */
function likeColumn(column: Column, has: (option: number) => boolean): Column {
  const { default: preset, generated, comment, ...rest } = column;
  const { autoIncrement: _auto, identityAlways: _always, numbering: _numbers, ...plain } = rest;
  const isNumbered = has(preset === undefined ? including.identity : including.defaults);
  return {
    ...(isNumbered ? rest : plain),
    ...(preset !== undefined && has(including.defaults) ? { default: preset } : {}),
    ...(generated !== undefined && has(including.generated) ? { generated } : {}),
    ...(comment !== undefined && has(including.comments) ? { comment } : {}),
  };
}
