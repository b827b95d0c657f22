/** Rules that redirect a write to another table, and return rows of that table. */
import * as fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createStudio } from '../../../src/studio/studio.ts';
import { usePostgres } from '../../servers/postgres.ts';
import { failureOf, readBody } from '../kit/harness.ts';
import type { JsonRow } from '../kit/harness.ts';
import type { Studio } from '../../../src/studio/studio.ts';

const server = usePostgres();
let studio: Studio;

beforeAll(async () => {
  await server().query(`
    CREATE TABLE ruled (id int PRIMARY KEY, v text);
    CREATE TABLE other (id serial PRIMARY KEY, v text);
    CREATE RULE i AS ON INSERT TO ruled DO INSTEAD INSERT INTO other (v) VALUES (NEW.v) RETURNING id, v;
    CREATE RULE u AS ON UPDATE TO ruled DO INSTEAD UPDATE other SET v = NEW.v WHERE id = OLD.id + 1 RETURNING id, v;
    CREATE RULE d AS ON DELETE TO ruled DO INSTEAD DELETE FROM other WHERE id = OLD.id`);
  studio = await createStudio({ url: server().url });
});

afterAll(async () => studio?.close());

beforeEach(async () => {
  await server().query(`TRUNCATE other RESTART IDENTITY`);
});

async function post(row: JsonRow): Promise<JsonRow> {
  const input = { table: 'ruled', body: JSON.stringify(row) };
  return readBody(await studio.perform('create-row', input)) as JsonRow;
}

test('a created row is never confused with an existing row of the table', async () => {
  // The rule hides the table from INSERT.
  await server().query(`
    ALTER TABLE ruled DISABLE RULE i;
    INSERT INTO ruled SELECT n, 'old' FROM generate_series(1, 20) n;
    ALTER TABLE ruled ENABLE RULE i`);
  await studio.perform('refresh-schema', {});
  const rows = fc.record({
    id: fc.integer({ min: 1, max: 40 }),
    v: fc.string({ unit: 'grapheme-ascii' }),
  });
  await fc.assert(
    fc.asyncProperty(rows, async (row) => {
      const { data, warning } = await post(row);
      expect(data).toEqual(row);
      expect(warning).toContain('A rule of table "ruled"');
    }),
    { numRuns: 15 },
  );
  expect(await server().query(`SELECT DISTINCT v FROM ruled`)).toEqual([{ v: 'old' }]);
});

test('an update returns the row of its id, and a delete that keeps the row is rejected', async () => {
  await server().query(`INSERT INTO other (v) SELECT 'other' FROM generate_series(1, 20)`);
  const address = { table: 'ruled', id: '4', showDeleted: false, permanent: false };
  const reply = await studio.perform('update-row', { ...address, body: '{"v":"new"}' });
  expect(readBody(reply)).toMatchObject({ data: { id: 4, v: 'old' } });
  const failure = await failureOf(studio.perform('delete-row', address));
  expect(failure).toMatchObject({ code: 'write_suppressed' });
  expect(await server().query(`SELECT count(*)::int AS n FROM other`)).toEqual([{ n: 20 }]);
});
