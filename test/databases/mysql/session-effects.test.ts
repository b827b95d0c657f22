/** What functions and triggers of the database do to a session of MySQL and MariaDB reaches no later request. */
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createStudio } from '../../../src/studio/studio.ts';
import { asking, jsonBody } from '../../security/asking.ts';
import { useMariadb } from '../../servers/mariadb.ts';
import type { Studio } from '../../../src/studio/studio.ts';

const server = useMariadb();
let studio: Studio | undefined;

beforeAll(async () => {
  try {
    server();
  } catch {
    // The tests are skipped, with the reason.
    return;
  }
  await server().query(`
    CREATE TABLE plain (id int PRIMARY KEY, n int); INSERT INTO plain VALUES (1, 1), (2, 2);
    CREATE TABLE fired (id int PRIMARY KEY, n int); INSERT INTO fired VALUES (1, 1);
    CREATE FUNCTION set_all() RETURNS int READS SQL DATA BEGIN
      SET @seen = 7; SET SESSION group_concat_max_len = 11; SET SESSION div_precision_increment = 9;
      RETURN GET_LOCK('studio_view', 0); END;
    CREATE VIEW \`it\`\`s\` AS SELECT id, set_all() AS x FROM plain;
    CREATE VIEW above AS SELECT id, x + 1 AS y FROM \`it\`\`s\`;
    CREATE TRIGGER locks BEFORE UPDATE ON fired FOR EACH ROW SET NEW.n = GET_LOCK('studio_trigger', 0);
    CREATE TRIGGER locks2 BEFORE INSERT ON fired FOR EACH ROW SET NEW.n = GET_LOCK('studio_trigger', 0);
    CREATE TRIGGER locks3 BEFORE DELETE ON fired FOR EACH ROW SET @seen = GET_LOCK('studio_trigger', 0)`);
  studio = await createStudio({ url: server().url });
});
afterAll(() => studio?.close());

const requests: readonly (readonly [path: string, init?: RequestInit])[] = [
  ['/tables/plain/rows'],
  ['/tables/it%60s/rows'],
  ['/tables/above/rows?filter_id=1'],
  ['/export/table/above?format=csv'],
  ['/sql', jsonBody({ query: 'SELECT * FROM above' })],
  ['/tables/fired/rows/1', jsonBody({ n: 5 }, 'PUT')],
  ['/tables/fired/rows', jsonBody({ id: 2 })],
  ['/tables/fired/rows/2?permanent=true', { method: 'DELETE' }],
];

const seen = `SELECT @seen AS seen, @@group_concat_max_len AS most, 1 / 3 AS third,
  IS_USED_LOCK('studio_view') AS viewed, IS_USED_LOCK('studio_trigger') AS fired`;

test('settings, variables and locks are gone', async () => {
  const ask = asking(studio!);
  // The structure is known before the first read.
  await ask('/schema');
  const before = (await ask('/sql', jsonBody({ query: seen }))).json['rows'];
  expect(before).toMatchObject([{ seen: null, viewed: null, fired: null }]);
  const some = fc.array(fc.constantFrom(...requests), { minLength: 1, maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(some, async (all) => {
      for (const [path, init] of all) {
        await ask(path, init);
        const after = await ask('/sql', jsonBody({ query: seen }));
        expect(after.json['rows'], path).toEqual(before);
      }
    }),
    { numRuns: 10 },
  );
});
