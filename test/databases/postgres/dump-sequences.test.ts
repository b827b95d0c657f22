/** Sequences that no column owns, and rows of materialized views, in dumps. */
import { execFileSync } from 'node:child_process';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createTestDatabase, usePostgres } from '../../servers/postgres.ts';
import { dumpOf } from '../exporting.ts';
import { importDumpFile } from '../importing.ts';
import { onNewDatabase } from '../on-new-database.ts';
import { postgresUnderTest } from '../kit/databases-under-test/postgres.ts';
import type { TestDatabase } from '../../servers/postgres.ts';

// Skips the tests if there is no server.
usePostgres();

const onNew = (work: (database: TestDatabase) => Promise<void>): Promise<void> =>
  onNewDatabase(createTestDatabase, work);

/** Without the comments at the beginning, which name the database. */
const textOf = async ({ url }: TestDatabase): Promise<string> =>
  (await dumpOf(url)).text.replace(/^(?:-- .*\n)*/, '');

/** The import and the server's own client create the same from the dump of the database, as `found` describes it. */
async function checkCopies(database: TestDatabase, found: string): Promise<void> {
  const text = await textOf(database);
  expect(text).not.toContain('-- Left out');
  const expected = await database.query(found);
  await onNew(async (copy) => {
    const [command, ...args] = postgresUnderTest.client(copy.url);
    execFileSync(command, args, { input: text, stdio: 'pipe' });
    expect(await copy.query(found)).toEqual(expected);
  });
  await onNew(async (copy) => {
    const { warnings } = await importDumpFile(copy.url, text);
    expect(warnings).toEqual([]);
    expect(await copy.query(found)).toEqual(expected);
    expect(await textOf(copy)).toBe(text);
  });
}

const sequence = fc.record({
  schema: fc.constantFrom('public', 'app'),
  name: fc.constantFrom('plain', '"Odd ""s\'"', '"é%"', '"a.b"'),
  options: fc.constantFrom('', 'AS smallint', 'START 100 INCREMENT 5 MAXVALUE 5000 CYCLE', 'INCREMENT -1', 'MINVALUE -5 START -2 CACHE 3'), // prettier-ignore
  state: fc.constantFrom('never used', 'used', 'moved', 'set without use'),
  use: fc.constantFrom('nothing', 'function', 'atomic function', 'default of a function', 'default of an expression', 'default of another schema'), // prettier-ignore
});

const sequenceStates = `SELECT schemaname, sequencename, data_type::text, start_value::text, min_value::text, max_value::text, increment_by::text, cycle, cache_size::text, last_value::text FROM pg_sequences ORDER BY 1, 2`;

test('sequences are the same after a round trip', async () => {
  await fc.assert(
    fc.asyncProperty(sequence, async ({ schema, name, options, state, use }) => {
      const sql = `${schema}.${name}`;
      const text = `'${sql.replaceAll("'", "''")}'`;
      const tableSchema = schema === 'app' ? 'public' : 'app';
      const next = `nextval(${text}::regclass)`;
      const uses: Readonly<Record<typeof use, string>> = {
        nothing: '',
        function: `CREATE FUNCTION f() RETURNS bigint LANGUAGE sql AS $$ SELECT ${next} $$`,
        'atomic function': `CREATE FUNCTION f() RETURNS bigint LANGUAGE sql RETURN ${next}`,
        'default of a function': `CREATE FUNCTION f() RETURNS bigint LANGUAGE sql AS $$ SELECT ${next} $$; CREATE TABLE t (a bigint DEFAULT f())`,
        'default of an expression': `CREATE TABLE t (a text DEFAULT 'a' || ${next})`,
        'default of another schema': `CREATE TABLE ${tableSchema}.t (a bigint DEFAULT nextval(${text}))`,
      };
      const states: Readonly<Record<typeof state, string>> = {
        'never used': '',
        used: `SELECT ${next}`,
        moved: `SELECT setval(${text}, CASE WHEN ${text} = '' THEN 1 ELSE (SELECT seqstart FROM pg_sequence WHERE seqrelid = ${text}::regclass) END)`,
        'set without use': `SELECT setval(${text}, (SELECT seqstart + 2 * sign(seqincrement)::int FROM pg_sequence WHERE seqrelid = ${text}::regclass), false)`,
      };
      await onNew(async (database) => {
        await database.query(
          `CREATE SCHEMA app; CREATE SEQUENCE ${sql} ${options.includes('AS') ? options : `AS bigint ${options}`}; ${uses[use]}; ${states[state]}`,
        );
        // The rows determine the position of the sequence of a column.
        const ofColumn = use === 'default of another schema';
        await checkCopies(database, ofColumn ? sequenceStates.replace(', last_value::text', '') : sequenceStates); // prettier-ignore
      });
    }),
    { numRuns: 25 },
  );
}, 240_000);

test('the next values of sequences are those of the source', async () => {
  await onNew(async (database) => {
    await database.query(
      `CREATE SEQUENCE a START 7; CREATE SEQUENCE b; SELECT setval('b', 40, false); CREATE SEQUENCE c INCREMENT 5; SELECT nextval('c')`,
    );
    const text = await textOf(database);
    const next = "SELECT nextval('a')::text || nextval('b') || nextval('c') AS next";
    await onNew(async (copy) => {
      await importDumpFile(copy.url, text);
      expect(await copy.query(next)).toEqual(await database.query(next));
    });
  });
});

test('a sequence as a default without a cast stays a sequence, and the warning names its new owner', async () => {
  await onNew(async (copy) => {
    const text = `CREATE SEQUENCE s START 5;\nCREATE TABLE t (a bigint DEFAULT nextval('s'), b int);\nINSERT INTO t (b) VALUES (1);\n`;
    const { warnings } = await importDumpFile(copy.url, text, { dialect: 'postgres' });
    expect(warnings).toEqual([
      'Line 1: the sequence s becomes part of the column t.a, and is dropped with it.',
    ]);
    expect(await copy.query('SELECT a::text FROM t')).toEqual([{ a: '5' }]);
    expect(await copy.query("SELECT nextval('s')::text AS next")).toEqual([{ next: '6' }]);
  });
});

test('materialized views have their rows after a round trip', async () => {
  const view = fc.record({ name: fc.constantFrom('a', 'b', 'c', 'd'), isStored: fc.boolean() });
  const views = fc.uniqueArray(view, { minLength: 1, selector: ({ name }) => name });
  await fc.assert(
    fc.asyncProperty(views, fc.integer({ min: 0, max: 9 }), async (chain, count) => {
      await onNew(async (database) => {
        await database.query(
          `CREATE TABLE t (n int); INSERT INTO t SELECT generate_series(1, ${count})`,
        );
        let source = 't';
        for (const { name, isStored } of chain) {
          await database.query(`CREATE ${isStored ? 'MATERIALIZED ' : ''}VIEW v_${name} AS SELECT n + 1 AS n FROM ${source}`); // prettier-ignore
          source = `v_${name}`;
        }
        const names = chain.map(({ name }) => `SELECT '${name}' AS name, n FROM v_${name}`);
        await checkCopies(database, `${names.join(' UNION ALL ')} ORDER BY name, n`);
      });
    }),
    { numRuns: 12 },
  );
}, 120_000);

test('of pg_dump have their materialized views filled', async () => {
  const text = `CREATE TABLE public.t (n integer);
CREATE MATERIALIZED VIEW public.m AS SELECT count(*) AS n FROM public.t WITH NO DATA;
COPY public.t (n) FROM stdin;
1
2
\\.

REFRESH MATERIALIZED VIEW public.m;
`;
  await onNew(async (copy) => {
    const { warnings } = await importDumpFile(copy.url, text);
    expect(warnings).toEqual([]);
    expect(await copy.query('SELECT n::int FROM m')).toEqual([{ n: 2 }]);
  });
  await onNew(async (copy) => {
    const other = text.replace('REFRESH MATERIALIZED VIEW public.m', 'REFRESH MATERIALIZED VIEW public.other'); // prettier-ignore
    await expect(importDumpFile(copy.url, other)).rejects.toMatchObject({ code: 'import_failed' });
  });
});

test.each(['', ' OWNED BY NONE'])(
  'a sequence that its owner does not draw from is created%s',
  async (other) => {
    const text = `
CREATE SEQUENCE public.own_s START WITH 5 INCREMENT BY 2;
CREATE TABLE public.s (id integer);
ALTER SEQUENCE public.own_s OWNED BY public.s.id;
${other === '' ? '' : `ALTER SEQUENCE public.own_s${other};`}
CREATE SEQUENCE public.lost_s;
ALTER SEQUENCE public.lost_s OWNED BY public.missing.id;
COPY public.s (id) FROM stdin;
1
\\.
SELECT pg_catalog.setval('public.own_s', 9, true);
`;
    await onNew(async (database) => {
      const { warnings } = await importDumpFile(database.url, text);
      expect(warnings).toEqual([]);
      expect(
        await database.query(
          `SELECT pg_get_serial_sequence('s', 'id') AS owned, nextval('own_s')::int AS next, nextval('lost_s')::int AS lost`,
        ),
      ).toEqual([{ owned: other === '' ? 'public.own_s' : null, next: 11, lost: 1 }]);
    });
  },
);
