/**
 * Storage engines without transactions: a failing request writes everything that its error names,
 * or nothing.
 */
import * as fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createStudio } from '../../../src/studio/studio.ts';
import { useMariadb } from '../../servers/mariadb.ts';
import { importFile } from '../importing.ts';
import { failureOf, readBody } from '../kit/harness.ts';
import type { Studio } from '../../../src/studio/studio.ts';

const database = useMariadb();

/** InnoDB shows that the same request is atomic with transactions. */
const engines = ['InnoDB', 'MyISAM', 'Aria', 'MEMORY'] as const;

const item = fc.record({
  list: fc.constantFrom('create', 'update', 'delete'),
  id: fc.nat(9),
  fails: fc.boolean(),
});
const items = fc.array(item, { minLength: 1, maxLength: 6 });

type Item = typeof item extends fc.Arbitrary<infer T> ? T : never;

/** A failing item conflicts with row 1, names a missing row, or leaves out a required column. */
function bodyOf(list: readonly Item[]): string {
  const of = (name: string): readonly Item[] => list.filter((each) => each.list === name);
  return JSON.stringify({
    create: of('create').map(({ fails }, i) => ({ id: fails ? 1 : 100 + i, n: i })),
    update: of('update').map(({ id, fails }) => ({
      id: fails ? '99' : String(id + 10),
      values: { n: 7 },
    })),
    delete: of('delete').map(({ id, fails }) => (fails ? '98' : String(id + 20))),
  });
}

async function checksum(table: string): Promise<unknown> {
  const rows = await database().query(`SELECT id, n FROM ${table} ORDER BY id`);
  return JSON.stringify(rows);
}

async function openTable(engine: string): Promise<{ studio: Studio; table: string }> {
  const table = `kept_by_${engine.toLowerCase()}`;
  await database().query(
    `CREATE OR REPLACE TABLE ${table} (id INT PRIMARY KEY, n INT NOT NULL) ENGINE=${engine}`,
  );
  const studio = await createStudio({ url: database().url });
  onTestFinished(() => studio.close());
  await refill(table);
  return { studio, table };
}

async function refill(table: string): Promise<void> {
  const rows = Array.from({ length: 40 }, (_, i) => `(${i}, 0)`).join();
  await database().query(`DELETE FROM ${table}; INSERT INTO ${table} VALUES ${rows}`);
}

describe.each(engines)('%s', (engine) => {
  test('changes are written completely or not at all', async () => {
    const { studio, table } = await openTable(engine);
    await fc.assert(
      fc.asyncProperty(items, async (list) => {
        await refill(table);
        const before = await checksum(table);
        const changes = studio.perform('change-rows', {
          table,
          body: bodyOf(list),
          showDeleted: false,
          permanent: false,
        });
        const failure = await changes.then(
          () => undefined,
          () => failureOf(changes),
        );
        const isChanged = (await checksum(table)) !== before;
        expect(isChanged).toBe(failure === undefined);
        const isRefused = engine !== 'InnoDB' && list.length > 1;
        if (isRefused) expect(failure).toMatchObject({ code: 'not_writable' });
      }),
      { numRuns: 25 },
    );
  });

  test('bulk deletions and imports are written completely or not at all', async () => {
    const { studio, table } = await openTable(engine);
    const remove = (ids: readonly string[], partial = false) =>
      studio.perform('bulk-delete', {
        table,
        body: JSON.stringify({ ids }),
        showDeleted: false,
        permanent: false,
        partial,
      });
    const before = await checksum(table);
    expect(await failureOf(remove(['5', 'x']))).toMatchObject({
      code: engine === 'InnoDB' ? 'invalid_id' : 'not_writable',
    });
    for (const mode of ['append', 'replace'] as const) {
      const file = ['rows.csv', 'id,n\n500,1\n501,\n'] as const;
      await expect(importFile(database().url, file, { table, mode })).rejects.toThrow();
    }
    expect(await checksum(table)).toBe(before);
    expect(readBody(await remove(['5']))).toMatchObject({ rows_affected: 1 });
    expect(readBody(await remove(['6', '7'], true))).toMatchObject({ rows_affected: 2 });
  });

  test('the schema response says whether the engine supports rollback', async () => {
    const { studio, table } = await openTable(engine);
    const { tables } = readBody(await studio.perform('get-schema', {})) as {
      tables: { name: string; rolls_back?: false }[];
    };
    const found = tables.find(({ name }) => name === table);
    expect(found?.rolls_back).toBe(engine === 'InnoDB' ? undefined : false);
  });

  test('with partial=true, a failure names what is written', async () => {
    const { studio, table } = await openTable(engine);
    const body = JSON.stringify({ delete: ['1', '2', '99'] });
    const input = { table, body, showDeleted: false, permanent: false, partial: true };
    const failure = await failureOf(studio.perform('change-rows', input));
    const rows = await database().query(`SELECT id FROM ${table} WHERE id IN (1, 2)`);
    if (engine === 'InnoDB') {
      expect(failure.code).toBe('row_not_found');
      expect(failure).not.toHaveProperty('written');
      expect(rows).toHaveLength(2);
    } else {
      expect(failure).toMatchObject({
        code: 'row_not_found',
        written: 2,
        list: 'delete',
        index: 2,
      });
      expect(rows).toEqual([]);
    }
  });
});

test('a row of every type is written with its entity tag on an engine without row locks', async () => {
  await database().query(`CREATE OR REPLACE TABLE every_type (
    k VARCHAR(9) COLLATE utf8mb4_general_ci, d DECIMAL(9,3), n INT, a FLOAT, b FLOAT(7,2), c DOUBLE,
    g POINT, bits BIT(5), flag BIT(1), j JSON, y YEAR, t TIME(3), dt DATETIME(6), e ENUM('a',''),
    s SET('a','b'), vb VARBINARY(5), l LONGBLOB, u UUID, i INET6, PRIMARY KEY (k, d)) ENGINE=MyISAM`);
  await database().query(`INSERT INTO every_type VALUES ('Ab', 1.5, 0, 0.1, 12345.67, 1e-300,
    POINT(1, 2), 5, 1, '[1, 2]', 2001, '1:2:3.123', '2020-01-02 03:04:05.6', '', 'a,b', X'FF00', X'00',
    '6ccd780c-baba-1026-9564-5b8c656024db', '::1')`);
  const studio = await createStudio({ url: database().url });
  onTestFinished(() => studio.close());
  const address = { table: 'every_type', id: 'ab,1.5', showDeleted: false };
  let etag = (await studio.perform('get-row', address)).meta.etag;
  for (const n of [1, 2]) {
    const change = { ...address, ifMatch: etag!, body: JSON.stringify({ n }) };
    etag = (await studio.perform('update-row', change)).meta.etag;
  }
  await studio.perform('delete-row', { ...address, ifMatch: etag!, permanent: false });
  expect(await database().query('SELECT k FROM every_type')).toEqual([]);
});
