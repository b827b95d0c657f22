/** Rows of partitions that the database has under the same names: dumps of data alone do not say of which table. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { usePostgres } from '../../servers/postgres.ts';
import { importFile } from '../importing.ts';

const database = usePostgres();

const columns = ['id', 'at', 'note'] as const;
const types = { id: 'int', at: 'date', note: 'text' };
const values = { id: '7', at: "'2024-03-05'", note: "'a'" };

/** A partition with columns in an order of its own, which may be divided again. */
const partition = fc.record({
  order: fc.shuffledSubarray([...columns], { minLength: columns.length }),
  isDivided: fc.boolean(),
  schema: fc.constantFrom('public', 'app'),
  named: fc.constantFrom('qualified', 'by path'),
  written: fc.constantFrom('insert', 'insert with columns', 'copy'),
});

test('are imported as the database itself inserts them', async () => {
  await fc.assert(
    fc.asyncProperty(partition, async ({ order, isDivided, schema, named, written }) => {
      const listOf = (names: readonly (keyof typeof types)[]): string =>
        names.map((name) => `${name} ${types[name]}`).join(', ');
      const bounds = "FOR VALUES FROM ('2024-01-01') TO ('2025-01-01')";
      const ownPartition = isDivided ? `${schema}.y2024_all` : `${schema}.y2024`;
      await database().query(`
        DROP SCHEMA IF EXISTS app CASCADE; DROP TABLE IF EXISTS logs; CREATE SCHEMA app;
        CREATE TABLE logs (${listOf(columns)}) PARTITION BY RANGE (at);
        CREATE TABLE ${ownPartition} (${listOf(order)}) ${isDivided ? 'PARTITION BY RANGE (at)' : ''};
        ALTER TABLE logs ATTACH PARTITION ${ownPartition} ${bounds};
        ${isDivided ? `CREATE TABLE ${schema}.y2024 PARTITION OF ${ownPartition} ${bounds};` : ''}`);
      const name = named === 'qualified' ? `${schema}.y2024` : 'y2024';
      const list = written === 'insert' ? '' : ` (${order.join(', ')})`;
      const row = order.map((each) => values[each]);
      const rows =
        written === 'copy'
          ? `COPY ${name}${list} FROM stdin;\n${row.join('\t').replaceAll("'", '')}\n\\.\n`
          : `INSERT INTO ${name}${list} VALUES (${row.join(', ')});\n`;
      const text = `SET search_path = ${schema};\n${rows}`;
      const { tables, warnings } = await importFile(database().url, ['data.sql', text]);
      expect([Object.keys(tables), warnings]).toEqual([['logs'], []]);
      const stored = await database().query(
        `SELECT id, at::text, note, tableoid::regclass::text LIKE '%y2024' AS is_there FROM logs`,
      );
      expect(stored).toEqual([{ id: 7, at: '2024-03-05', note: 'a', is_there: true }]);
    }),
    { numRuns: 12 },
  );
});

test('name their line and what is missing if the database has no such partition', async () => {
  await database().query('CREATE TABLE parted (id int) PARTITION BY LIST (id)');
  const text = '-- rows\nINSERT INTO public.parted_9 VALUES (9);\n';
  await expect(importFile(database().url, ['data.sql', text])).rejects.toMatchObject({
    code: 'table_not_found',
    message: expect.stringMatching(
      /^data\.sql, line 2: There is no table or view "public\.parted_9"\..* the file does not say of which table/,
    ),
    details: { line: 2 },
  });
});
