/**
 * Random tables, and every way to page through each: all must return the same rows in the same
 * order.
 */
import * as fc from 'fast-check';
import { expect } from 'vitest';
import { isView, pagedDialects } from './paging-tables.ts';
import type { Harness, JsonRow, Page } from './harness.ts';
import type { ListQuery } from '../../../src/studio/rows/read/page-plan.ts';
import type { PagedColumn, PagedDialect, PagedShape } from './paging-tables.ts';

export interface PagedTable {
  readonly columns: readonly PagedColumn[];
  readonly shape: PagedShape;
  readonly keyWidth: number;
  /** A row has a number for each column: the index of its value among the values of the column. */
  readonly rows: readonly (readonly number[])[];
  readonly hasTag: boolean;
  readonly queries: readonly PagedQuery[];
}

interface PagedQuery {
  /** Indexes of columns. */
  readonly sort: readonly { readonly column: number; readonly descending: boolean }[];
  readonly pageSize: number;
  readonly keyDescending: boolean;
  readonly filter: 'none' | 'null' | 'not null' | 'search';
  readonly cells: ListQuery['cells'];
  readonly labels: boolean;
}

const mostColumns = 4;

export function tables(dialect: PagedDialect): fc.Arbitrary<PagedTable> {
  const query = fc.record({
    sort: fc.array(fc.record({ column: fc.nat(mostColumns), descending: fc.boolean() }), {
      maxLength: 3,
    }),
    pageSize: fc.integer({ min: 1, max: 7 }),
    keyDescending: fc.boolean(),
    filter: fc.constantFrom('none', 'none', 'none', 'null', 'not null', 'search'),
    cells: fc.constantFrom('full', 'full', 'preview'),
    labels: fc.boolean(),
  } as const);
  return fc.record({
    columns: fc.array(fc.constantFrom(...dialect.columns), {
      minLength: 1,
      maxLength: mostColumns,
    }),
    shape: fc.constantFrom(...dialect.shapes),
    keyWidth: fc.integer({ min: 1, max: 2 }),
    rows: fc.array(fc.array(fc.nat(20), { minLength: mostColumns, maxLength: mostColumns }), {
      minLength: 1,
      maxLength: 22,
    }),
    hasTag: fc.boolean(),
    queries: fc.array(query, { minLength: 2, maxLength: 4 }),
  });
}

/** Checks this many random tables. The caller runs the setup statements first. */
export async function checkPagesArePermutations(harness: Harness, numRuns: number): Promise<void> {
  const dialect = pagedDialects[harness.underTest.name];
  if (dialect === undefined) return;
  for (const statement of dialect.setUp) await harness.database.run(statement);
  let tried = 0;
  let created = 0;
  await fc.assert(
    fc.asyncProperty(tables(dialect), async (table) => {
      tried += 1;
      const name = `paged_${tried}`;
      try {
        // Some types are not possible in some kinds of tables.
        const listed = await createPagedTable(harness, { dialect, table, name }).catch(
          () => undefined,
        );
        if (listed === undefined) return;
        created += 1;
        await harness.refresh();
        const column = table.hasTag ? 'tag' : '1';
        const rows = await harness.database.query(`SELECT ${column} FROM ${listed}`);
        const expectedTags = rows.map(([tag]) => tag);
        for (const query of table.queries)
          await walkAll(harness, { table, listed, query, expectedTags });
      } finally {
        await dropTable(harness, name);
      }
    }),
    { numRuns },
  );
  expect(created, 'most of the tables could be made').toBeGreaterThan(tried / 2);
}

export async function dropTable(harness: Harness, name: string): Promise<void> {
  for (const statement of [
    `DROP VIEW IF EXISTS ${name}_seen`,
    `DROP TABLE IF EXISTS ${name}_child`,
    `DROP TABLE IF EXISTS ${name}`,
  ])
    await harness.database.run(statement);
}

/** Some are the names that databases give to computed results, which ORDER BY resolves first. */
export const columnName = (i: number): string => ['c0', 'coalesce', 'md5'][i] ?? `c${i}`;

interface CreatedTable {
  readonly dialect: PagedDialect;
  readonly table: PagedTable;
  readonly name: string;
}

/** Creates the table with its rows, and returns the name of the table or view to list. */
export async function createPagedTable(
  harness: Harness,
  { dialect, table, name }: CreatedTable,
): Promise<string> {
  const { database } = harness;
  const { columns, shape, rows, hasTag } = table;
  const withTableName = (text: string): string => text.replaceAll('{t}', name);
  const keyable = columns.flatMap((column, i) =>
    column.isKeyable === false ? [] : [columnName(i)],
  );
  const keyNames = keyable.slice(0, table.keyWidth);
  const isKeyed = keyNames.length > 0;
  const key = keyNames.join(', ');
  const definitions = columns.map((column, i) => {
    const isRequired = shape.isNullable !== true && keyNames.includes(columnName(i));
    return `${columnName(i)} ${column.type}${isRequired ? ' NOT NULL' : ''}`;
  });
  const needsTag = !hasTag && usesTag(shape);
  const tag = hasTag || needsTag ? ', tag integer' + (usesTag(shape) ? ' NOT NULL' : '') : '';
  const columnsClause = isKeyed ? (shape.clauseAfterColumns?.(key) ?? '') : '';
  const tableClause = isKeyed ? (shape.clauseAfterTable?.(key) ?? '') : '';
  const body = `${definitions.join(', ')}${tag}${columnsClause}`;
  await database.run(withTableName(`CREATE TABLE {t} (${body})${tableClause}`));
  for (const statement of partitions(tableClause)) await database.run(withTableName(statement));
  const statements = (isKeyed ? (shape.statements?.(key) ?? []) : []).filter(
    (text) => tag !== '' || !text.includes('tag'),
  );
  // Unique indexes are there before the rows, so that they reject duplicates.
  const isUniqueIndex = (text: string): boolean => text.startsWith('CREATE UNIQUE');
  for (const statement of statements.filter(isUniqueIndex))
    await database.run(withTableName(statement));
  const created = { dialect, table: { ...table, hasTag: tag !== '' }, name };
  for (const [number, row] of rows.entries()) await insertRow(harness, created, { row, number });
  for (const statement of statements.filter((text) => !isUniqueIndex(text)))
    await database.run(withTableName(statement));
  if (!isView(shape)) return name;
  await database.run(`CREATE VIEW ${name}_seen AS SELECT * FROM ${name}`);
  return `${name}_seen`;
}

/** Skips a row that the table rejects. */
export async function insertRow(
  { database }: Harness,
  { dialect, table: { columns, hasTag }, name }: CreatedTable,
  { row, number }: { readonly row: readonly number[]; readonly number: number },
): Promise<void> {
  const names = columns.map((_, i) => columnName(i));
  const values = columns.map((column, i) => valueOf(column, row[i] ?? 0));
  const all = hasTag ? [...values, String(number)] : values;
  const list = hasTag ? [...names, 'tag'] : names;
  const text = dialect.insert(list.join(', '), all.join(', ')).replaceAll('{t}', name);
  await database.run(text).catch(() => undefined);
}

function usesTag({ clauseAfterColumns, clauseAfterTable }: PagedShape): boolean {
  return `${clauseAfterColumns?.('') ?? ''}${clauseAfterTable?.('') ?? ''}`.includes('tag');
}

function partitions(tableClause: string): readonly string[] {
  if (tableClause.includes('PARTITIONS')) return [];
  if (tableClause.includes('HASH'))
    return [0, 1].map(
      (i) => `CREATE TABLE {t}_p${i} PARTITION OF {t} FOR VALUES WITH (MODULUS 2, REMAINDER ${i})`,
    );
  return tableClause.includes('LIST')
    ? [
        'CREATE TABLE {t}_p1 PARTITION OF {t} FOR VALUES IN (1, 2, 3, 4, 5)',
        'CREATE TABLE {t}_p2 PARTITION OF {t} DEFAULT',
      ]
    : [];
}

/**
 * NULL is among the values of every column. The table rejects the row if the column is NOT NULL.
 */
function valueOf({ values }: PagedColumn, index: number): string {
  const i = index % (values.length + 1);
  return values[i] ?? 'NULL';
}

interface Walk {
  readonly table: PagedTable;
  readonly listed: string;
  readonly query: PagedQuery;
  /** The tags of all rows, or as many `undefined` as there are rows. */
  readonly expectedTags: readonly unknown[];
}

async function walkAll(
  harness: Harness,
  { table, listed, query, expectedTags }: Walk,
): Promise<void> {
  const requestedColumns = queryOf(table, query);
  const list = (more: Partial<ListQuery>): Promise<Page> =>
    harness.list(listed, { ...requestedColumns, ...more });
  const singlePage = await list({ pageSize: 500 });
  expect(singlePage).not.toHaveProperty('next_cursor');
  if (query.filter === 'none') {
    expect(singlePage.data).toHaveLength(expectedTags.length);
    if (table.hasTag)
      expect(sorted(singlePage.data.map(({ tag }) => tag))).toEqual(sorted(expectedTags));
  }
  const context = JSON.stringify({ columns: table.columns.map(({ type }) => type), query });
  const byCursor: JsonRow[] = [];
  const byNumber: JsonRow[] = [];
  const { pageSize } = query;
  let cursor: string | undefined;
  for (let page = 1; page === 1 || byNumber.length < singlePage.data.length; page++) {
    const rows = (await list({ pageSize, page })).data;
    expect(rows.length, `${context}: page ${page} is empty`).toBeGreaterThan(
      singlePage.data.length === 0 ? -1 : 0,
    );
    byNumber.push(...rows);
    if (singlePage.data.length === 0) break;
  }
  do {
    const page = await list({ pageSize, ...(cursor === undefined ? {} : { cursor }) });
    byCursor.push(...page.data);
    cursor = page.next_cursor;
    expect(byCursor.length, `${context}: more rows than there are`).toBeLessThanOrEqual(
      singlePage.data.length,
    );
  } while (cursor !== undefined);
  expect(byNumber, `${context}: by page numbers`).toEqual(singlePage.data);
  expect(byCursor, `${context}: by cursors`).toEqual(singlePage.data);
}

function sorted(values: readonly unknown[]): readonly unknown[] {
  return values.toSorted((a, b) => Number(a) - Number(b));
}

export function queryOf(
  { columns }: PagedTable,
  { sort, filter, keyDescending, cells, labels }: PagedQuery,
): Partial<ListQuery> {
  const last = columnName(columns.length - 1);
  return {
    sort: sort.map(({ column, descending }) => ({
      column: columnName(column % columns.length),
      descending,
    })),
    keyDescending,
    cells,
    labels,
    ...(filter === 'search' ? { search: 'a' } : {}),
    ...(filter === 'null' || filter === 'not null'
      ? { filters: [{ name: `${last}__null`, value: String(filter === 'null') }] }
      : {}),
  };
}
