/**
 * Catalog queries whose rows are objects. The SELECT list and the type of a row come from the same
 * object, so the position of a column matters nowhere else.
 */
import type { RunOptions, Session } from '../model/database.ts';
import type { Row, Value } from '../model/values.ts';

/** An expression of a SELECT list, and how its value is decoded. */
export interface CatalogColumn<T> {
  readonly expression: string;
  readonly decode: (value: Value) => T;
}

/** By the name that the column has in the rows. */
export type CatalogColumns = Readonly<Record<string, CatalogColumn<unknown>>>;

export type CatalogRow<C extends CatalogColumns> = {
  readonly [Name in keyof C]: C[Name] extends CatalogColumn<infer T> ? T : never;
};

export interface CatalogQuery<R> {
  readonly text: string;
  /** The names of the columns in the order of the SELECT list. */
  readonly names: readonly (keyof R)[];
  readonly decodeRow: (row: Row) => R;
}

export type RowOf<Q> = Q extends CatalogQuery<infer R> ? R : never;

/**
 * `statement` returns the text of the query for a SELECT list. The expressions have no aliases, because
 * an alias could hide a column that GROUP BY or ORDER BY names.
 */
export function catalogQuery<C extends CatalogColumns>(
  columns: C,
  statement: (selectList: string) => string,
): CatalogQuery<CatalogRow<C>> {
  const names = Object.keys(columns);
  const decoders = Object.values(columns).map(({ decode }) => decode);
  const selectList = Object.values(columns).map(({ expression }) => expression);
  return {
    text: statement(selectList.join(', ')),
    names,
    decodeRow: (row) => {
      const decoded: Record<string, unknown> = {};
      for (let i = 0; i < names.length; i++) decoded[names[i]!] = decoders[i]!(row[i] ?? null);
      return decoded as CatalogRow<C>;
    },
  };
}

interface CatalogReadOptions extends RunOptions {
  readonly params?: readonly Value[];
}

export async function readCatalogRows<R>(
  session: Pick<Session, 'run'>,
  query: CatalogQuery<R>,
  { params = [], ...options }: CatalogReadOptions = {},
): Promise<readonly R[]> {
  const { rows } = await session.run({ text: query.text, params }, options);
  return rows.map(query.decodeRow);
}

/** An empty text for NULL. */
export function asText(expression: string): CatalogColumn<string> {
  return { expression, decode: (value) => (value === null ? '' : String(value)) };
}

export function asOptionalText(expression: string): CatalogColumn<string | undefined> {
  return { expression, decode: (value) => (value === null ? undefined : String(value)) };
}

/** 0 for NULL. */
export function asNumber(expression: string): CatalogColumn<number> {
  return { expression, decode: Number };
}

export function asOptionalNumber(expression: string): CatalogColumn<number | undefined> {
  return { expression, decode: (value) => (value === null ? undefined : Number(value)) };
}

/** A boolean, or 1 where the database has none. False for NULL. */
export function asFlag(expression: string): CatalogColumn<boolean> {
  return { expression, decode: (value) => Number(value) === 1 };
}

/** A JSON text; undefined for NULL. */
export function asJson<T>(expression: string): CatalogColumn<T | undefined> {
  return {
    expression,
    decode: (value) => (value === null ? undefined : (JSON.parse(String(value)) as T)),
  };
}

/** The rows of a statement whose columns the database names, such as SHOW or EXPLAIN. */
export function rowsByColumnName(
  columns: readonly { readonly name: string }[],
  rows: readonly Row[],
): readonly Readonly<Record<string, Value>>[] {
  return rows.map((row) => {
    const byName: Record<string, Value> = {};
    for (let i = 0; i < columns.length; i++) byName[columns[i]!.name] = row[i] ?? null;
    return byName;
  });
}
