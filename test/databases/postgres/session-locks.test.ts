/**
 * Advisory locks that functions of the database take for their session are released after the
 * request, however it ends.
 */
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createStudio } from '../../../src/studio/studio.ts';
import { requestSender, jsonBody } from '../../security/send-request.ts';
import { usePostgres } from '../../servers/postgres.ts';
import type { Studio } from '../../../src/studio/studio.ts';

const postgres = usePostgres();
let studio: Studio | undefined;

beforeAll(async () => {
  try {
    postgres();
  } catch {
    // The tests are skipped, with the reason.
    return;
  }
  await postgres().query(`
    CREATE FUNCTION locks() RETURNS int LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_advisory_lock(5150); RETURN 1; END $$;
    CREATE FUNCTION fails() RETURNS int LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_advisory_lock(5150); RAISE 'no'; END $$;
    CREATE FUNCTION fires() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      PERFORM pg_advisory_lock(5150); IF NEW.n = 13 THEN RAISE 'no'; END IF; RETURN NEW; END $$;
    CREATE VIEW locking AS SELECT i AS id, locks() AS x FROM generate_series(1, 3) i;
    CREATE VIEW failing AS SELECT 1 AS id, fails() AS x;
    CREATE TABLE fired (id int PRIMARY KEY, n int); INSERT INTO fired VALUES (1, 0);
    CREATE TABLE late (id int PRIMARY KEY, n int); INSERT INTO late VALUES (1, 0);
    CREATE TRIGGER now BEFORE UPDATE ON fired FOR EACH ROW EXECUTE FUNCTION fires();
    CREATE CONSTRAINT TRIGGER later AFTER UPDATE ON late DEFERRABLE INITIALLY DEFERRED
      FOR EACH ROW EXECUTE FUNCTION fires()`);
  studio = await createStudio({ url: postgres().url });
});
afterAll(() => studio?.close());

const requests = fc.oneof(
  fc
    .tuple(
      fc.constantFrom('locking', 'failing'),
      fc.constantFrom(
        '/tables/*/rows',
        '/export/table/*?format=csv',
        '/export/table/*?format=json',
      ),
    )
    .map(([view, path]) => ({ path: path.replace('*', view), init: undefined })),
  fc.constantFrom('locking', 'failing').map((view) => ({
    path: '/sql',
    init: jsonBody({ query: `SELECT * FROM ${view}` }),
  })),
  fc.tuple(fc.constantFrom('fired', 'late'), fc.constantFrom(1, 13)).map(([table, n]) => ({
    path: `/tables/${table}/rows/1`,
    init: jsonBody({ n }, 'PUT'),
  })),
);

test('no request leaves a lock, successful or failed', async () => {
  const ask = requestSender(studio!);
  const countLocks = `SELECT count(*)::int AS held FROM pg_locks
    JOIN pg_database d ON d.oid = database AND datname = current_database() WHERE locktype = 'advisory'`;
  await fc.assert(
    fc.asyncProperty(requests, async ({ path, init }) => {
      await ask(path, init);
      expect(await postgres().query(countLocks)).toEqual([{ held: 0 }]);
    }),
    { numRuns: 40 },
  );
});
