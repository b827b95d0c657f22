import { unescaped } from './read-column.ts';
import type { Index, IndexPart, PrimaryKey } from '../../../model/schema.ts';
import type { CatalogueIndexPart } from './catalogue.ts';

export interface TableIndexes {
  readonly primaryKey?: PrimaryKey;
  readonly indexes: readonly Index[];
}

/** From the index parts of one table, in order; `usualMethod` is that of its engine. */
export function readIndexes(
  parts: readonly CatalogueIndexPart[],
  usualMethod = 'btree',
): TableIndexes {
  const byName = Map.groupBy(parts, ({ index }) => index);
  const key = byName.get('PRIMARY');
  byName.delete('PRIMARY');
  return {
    ...(key === undefined
      ? {}
      : { primaryKey: { columns: key.map(({ column }) => column ?? '') } }),
    indexes: [...byName].map(([name, of]) => readIndex(name, of, usualMethod)),
  };
}

function readIndex(
  name: string,
  catalogued: readonly CatalogueIndexPart[],
  usualMethod: string,
): Index {
  const [first] = catalogued;
  const method = first?.method.toLowerCase() ?? 'btree';
  const parts = catalogued.map((part) => readPart(part, method));
  const unique = first?.unique ?? false;
  return {
    name,
    unique,
    parts,
    ...(method === 'btree' && usualMethod === 'btree' ? {} : { method }),
    ...(unique && parts.every(isPlain) ? { constraint: true } : {}),
    ...(first?.invisible === true ? { invisible: true } : {}),
    ...(first === undefined || first.comment === '' ? {} : { comment: first.comment }),
  };
}

/** A spatial index has a length that nobody gave it. */
function readPart(
  { column, expression, descending, prefixLength }: CatalogueIndexPart,
  method: string,
): IndexPart {
  return {
    ...(column === undefined ? { expression: unescaped(expression ?? '') } : { column }),
    ...(descending ? { descending } : {}),
    ...(prefixLength === undefined || method === 'spatial' ? {} : { prefixLength }),
  };
}

/** A UNIQUE constraint and a unique index are one here; as a constraint it is told where it can be written as one. */
function isPlain({ column, descending, prefixLength }: IndexPart): boolean {
  return column !== undefined && descending === undefined && prefixLength === undefined;
}
