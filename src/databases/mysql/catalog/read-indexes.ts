import { unescaped } from './read-column.ts';
import type { Index, IndexPart, PrimaryKey } from '../../../model/schema.ts';
import type { CatalogIndexPart } from './catalog.ts';

export interface TableIndexes {
  readonly primaryKey?: PrimaryKey;
  readonly indexes: readonly Index[];
}

/** Builds indexes from the ordered index parts of one table; `defaultMethod` is the one of its engine. */
export function readIndexes(
  parts: readonly CatalogIndexPart[],
  defaultMethod = 'btree',
): TableIndexes {
  const byName = Map.groupBy(parts, ({ index }) => index);
  const key = byName.get('PRIMARY');
  byName.delete('PRIMARY');
  return {
    ...(key === undefined
      ? {}
      : { primaryKey: { columns: key.map(({ column }) => column ?? '') } }),
    indexes: [...byName].map(([name, of]) => readIndex(name, of, defaultMethod)),
  };
}

function readIndex(
  name: string,
  catalogRows: readonly CatalogIndexPart[],
  defaultMethod: string,
): Index {
  const [first] = catalogRows;
  const method = first?.method.toLowerCase() ?? 'btree';
  const parts = catalogRows.map((part) => readPart(part, method));
  const unique = first?.unique ?? false;
  return {
    name,
    unique,
    parts,
    ...(method === 'btree' && defaultMethod === 'btree' ? {} : { method }),
    ...(unique && parts.every(isPlain) ? { constraint: true } : {}),
    ...(first?.invisible === true ? { invisible: true } : {}),
    ...(first === undefined || first.comment === '' ? {} : { comment: first.comment }),
  };
}

/** Omits the prefix length of spatial indexes, which the server sets itself. */
function readPart(
  { column, expression, descending, prefixLength }: CatalogIndexPart,
  method: string,
): IndexPart {
  return {
    ...(column === undefined ? { expression: unescaped(expression ?? '') } : { column }),
    ...(descending ? { descending } : {}),
    ...(prefixLength === undefined || method === 'spatial' ? {} : { prefixLength }),
  };
}

/** Unique constraints and unique indexes are the same in MySQL. An index counts as a constraint if UNIQUE (…) can express it. */
function isPlain({ column, descending, prefixLength }: IndexPart): boolean {
  return column !== undefined && descending === undefined && prefixLength === undefined;
}
