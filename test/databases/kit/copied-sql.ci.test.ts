/** Rows that the page copies as SQL: when the database runs that SQL, it stores the same rows. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseJsonWithTokens } from '../../../src/contract/number-token.ts';
import { formatRows } from '../../../ui/src/rows-text/format-rows.ts';
import { bodyText, listDefaults, describeOnEachDatabase, readBody } from './harness.ts';
import { pagedDialects } from './paging-tables.ts';
import { columnOf, tableWithId } from './tables.ts';
import type { TextRows } from '../../../ui/src/rows-text/format-rows.ts';
import type { Harness } from './harness.ts';
import type { PagedColumn } from './paging-tables.ts';

/** Types whose text form is not a valid literal, in addition to those that the page knows. */
const additionalTypes: Readonly<Record<string, readonly Pick<PagedColumn, 'type' | 'values'>[]>> = {
  postgres: [
    { type: 'json', values: [`'"text"'`, `'null'`, "'true'", "'7'", `'[1,{"a":null}]'`] },
    { type: 'jsonb[]', values: [`'{1,"\\"x\\"","[2]",NULL,"null"}'`] },
    { type: 'boolean[]', values: ["'{t,f}'"] },
    { type: 'box[]', values: ["'{(1,1),(0,0);(2,2),(1,1)}'"] },
    { type: 'timestamptz[]', values: ["'{2026-01-31 13:05:00+00}'"] },
  ],
  mysql: [
    { type: 'json', values: [`'"text"'`, "'null'", "'true'", "'7'", `'{"a":"\\\\"}'`] },
    { type: 'bit(1)', values: ["b'1'", "b'0'"] },
    { type: 'bit(12)', values: ["b'101'", "b'0'"] },
    { type: 'timestamp(3) NULL', values: ["'2026-01-31 13:05:00.25'"] },
    { type: 'point', values: ["ST_GeomFromText('POINT(1 2)')", "ST_GeomFromText('POINT(1 2)', 4326)"] },
    { type: 'geometry', values: ["ST_GeomFromText('LINESTRING(0 0,1 2)')"] },
  ],
}; // prettier-ignore

/** Columns of a NOT NULL domain that still hold NULL, and functions whose names are ambiguous. */
const typesNotCopied: ReadonlySet<string> = new Set(['required', 'regproc']);

interface Listed {
  readonly text: string;
  readonly rows: TextRows['rows'];
}

async function listed(harness: Harness, table: string): Promise<Listed> {
  const query = { ...listDefaults, pageSize: 500, sort: [{ column: 'id', descending: false }] };
  const text = bodyText(await harness.perform('list-rows', { table, query }));
  return { text, rows: (parseJsonWithTokens(text) as { readonly data: TextRows['rows'] }).data };
}

type Columns = ReadonlyMap<string, TextRows['columns']>;

async function columnsOf(harness: Harness): Promise<Columns> {
  const { tables } = readBody(await harness.perform('get-schema', {})) as {
    readonly tables: readonly { readonly name: string; readonly columns: TextRows['columns'] }[];
  };
  return new Map(tables.map(({ name, columns }) => [name, columns]));
}

async function expectCopied(
  harness: Harness,
  columns: Columns,
  [from, to]: readonly [from: string, to: string],
): Promise<void> {
  const { text, rows } = await listed(harness, from);
  const driver = harness.underTest.name;
  const script = formatRows('sql', { path: [to], columns: columns.get(from)!, rows, driver });
  await harness.database.run(script);
  const copied = await listed(harness, to);
  expect(copied.text, script.slice(0, 2000)).toBe(text);
}

describeOnEachDatabase('copied SQL', (harness) => {
  test('creates the same values again for each type', async () => {
    const dialect = pagedDialects[harness.underTest.name];
    if (dialect === undefined) return;
    for (const statement of dialect.setUp) await harness.database.run(statement);
    const types = [...dialect.columns, ...(additionalTypes[harness.underTest.name] ?? [])].filter(
      ({ type }) => !typesNotCopied.has(type),
    );
    const create = (type: string, i: number): readonly string[] =>
      [`typed_${i}`, `copied_${i}`].map(
        (table) => `CREATE TABLE ${table} (id int PRIMARY KEY, v ${type})`,
      );
    await harness.database.run(types.flatMap(({ type }, i) => create(type, i)).join(';\n'));
    for (const [i, { values }] of types.entries())
      for (const [id, value] of values.entries())
        await harness.database
          .run(`INSERT INTO typed_${i} (id, v) VALUES (${id}, ${value})`)
          .catch(() => {});
    await harness.refresh();
    const columns = await columnsOf(harness);
    for (const i of types.keys())
      await expectCopied(harness, columns, [`typed_${i}`, `copied_${i}`]);
  });

  test('creates random texts, floats, bytes and documents again', async () => {
    const columns = [
      columnOf('words', { kind: 'text' }),
      columnOf('amount', { kind: 'float', bits: 64 }),
      columnOf('raw', { kind: 'binary' }),
      columnOf('doc', { kind: 'json' }),
    ];
    await harness.createTables([
      tableWithId('random_rows', columns),
      tableWithId('random_copies', columns),
    ]);
    const isNulAllowed = harness.underTest.name === 'sqlite' || harness.underTest.name === 'mysql';
    const text = fc
      .string({
        unit: fc.constantFrom('a', "'", '"', '\\', '\n', '\r', '\t', '\0', '😀', ';', '%'),
      })
      .map((value) => (isNulAllowed ? value : value.replaceAll('\0', '')));
    const row = fc.record({
      words: text,
      amount: fc.double({ noNaN: true, noDefaultInfinity: true }).map((n) => (n === 0 ? 0 : n)),
      raw: fc.uint8Array({ maxLength: 9 }).map((bytes) => ({ $base64: Buffer.from(bytes).toString('base64') })),
      doc: fc.dictionary(fc.constantFrom('a', 'b', '$json'), text.map((value) => value.replaceAll('\0', ''))),
    }); // prettier-ignore
    let id = 0;
    for (const values of fc.sample(row, 40))
      await harness.create('random_rows', { id: ++id, ...values });
    await expectCopied(harness, await columnsOf(harness), ['random_rows', 'random_copies']);
  });
});
