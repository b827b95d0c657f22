/** A key that the database sets to the time of each update. */
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createStudio } from '../../../src/studio/studio.ts';
import { formatId } from '../../../src/model/row-id.ts';
import { useMariadb } from '../../servers/mariadb.ts';
import { bodyText, readBody } from '../kit/harness.ts';
import type { JsonRow } from '../kit/harness.ts';
import type { Studio } from '../../../src/studio/studio.ts';

const server = useMariadb();
let studio: Studio;

beforeAll(async () => {
  await server().query(`
    CREATE TABLE timed (
      t timestamp(6) NOT NULL DEFAULT '2020-01-01' ON UPDATE CURRENT_TIMESTAMP(6) PRIMARY KEY,
      a int, b varchar(20) COLLATE utf8mb4_bin);
    INSERT INTO timed VALUES ('2020-01-01', 1, 'x'), ('2020-01-02', 1, 'x')`);
  studio = await createStudio({ url: server().url });
});

afterAll(() => studio?.close());

const values = fc.record(
  { a: fc.constantFrom(null, 1, 2), b: fc.constantFrom(null, '', 'x', 'X') },
  { requiredKeys: [] },
);

test('an update changes the key exactly when it changes the row', async () => {
  let row: JsonRow = { t: '2020-01-01T00:00:00Z', a: 1, b: 'x' };
  await fc.assert(
    fc.asyncProperty(
      values.filter((change) => Object.keys(change).length > 0),
      async (change) => {
        const address = { table: 'timed', id: formatId([String(row['t'])]), showDeleted: false };
        const reply = await studio.perform('update-row', {
          ...address,
          body: JSON.stringify(change),
        });
        const { data } = readBody(reply) as { data: JsonRow };
        const isChanged = Object.entries(change).some(([name, value]) => row[name] !== value);
        expect(data, bodyText(reply)).toMatchObject({ ...row, ...change, t: data['t'] });
        expect(data['t'] !== row['t'], bodyText(reply)).toBe(isChanged);
        row = data;
      },
    ),
    { numRuns: 30, endOnFailure: true },
  );
  const others = await server().query(`SELECT a, b FROM timed WHERE t = '2020-01-02'`);
  expect(others).toEqual([{ a: 1, b: 'x' }]);
});
