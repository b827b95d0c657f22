import type { Table } from '../model/schema.ts';

/** Whether the columns, in any order, are the primary key or a unique index without a predicate. */
export function columnsAreKey({ primaryKey, indexes }: Table, columns: readonly string[]): boolean {
  const unique = indexes
    .filter((index) => index.unique && index.where === undefined)
    .map(({ parts }) =>
      parts.map(({ column, prefixLength }) => (prefixLength === undefined ? column : undefined)),
    );
  return [primaryKey?.columns ?? [], ...unique].some((key) => haveSameMembers(key, columns));
}

export function haveSameMembers(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((member) => b.includes(member));
}
