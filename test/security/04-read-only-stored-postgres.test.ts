/** What the database itself stores and a plain read evaluates changes nothing, however the read comes to it (security.md 4). */
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createStudio } from '../../src/studio/studio.ts';
import { usePostgres } from '../servers/postgres.ts';
import { asking, jsonBody } from './asking.ts';
import type { Studio } from '../../src/studio/studio.ts';

const postgres = usePostgres();

describe('a function that a view calls', () => {
  let studio: Studio;

  beforeAll(async () => {
    await postgres().query(`
      CREATE TABLE kept (id serial PRIMARY KEY, name text);
      INSERT INTO kept (name) VALUES ('a'), ('b');
      CREATE FUNCTION forget() RETURNS int LANGUAGE plpgsql AS $$ BEGIN DEALLOCATE ALL; RETURN 1; END $$;
      CREATE FUNCTION replace_named() RETURNS int LANGUAGE plpgsql AS $$ DECLARE r record; BEGIN
        FOR r IN SELECT name FROM pg_prepared_statements LOOP
          EXECUTE format('DEALLOCATE %I', r.name);
          EXECUTE format('PREPARE %I AS SELECT 1', r.name);
        END LOOP; RETURN 1; END $$;
      CREATE FUNCTION removes() RETURNS int LANGUAGE plpgsql AS $$ BEGIN DELETE FROM kept; RETURN 1; END $$;
      CREATE VIEW forgets AS SELECT 1 AS id, forget() AS x;
      CREATE VIEW replaces AS SELECT 1 AS id, replace_named() AS x;
      CREATE VIEW removing AS SELECT 1 AS id, removes() AS x`);
    studio = await createStudio({ url: postgres().url });
  });
  afterAll(() => studio.close());

  test('neither lets a read write nor stops later requests', async () => {
    const ask = asking(studio);
    const path = fc.constantFrom('forgets', 'replaces', 'removing', 'kept', 'kept');
    await fc.assert(
      fc.asyncProperty(fc.array(path, { minLength: 5, maxLength: 12 }), async (paths) => {
        await Promise.all(paths.map((table) => ask(`/tables/${table}/rows`)));
        const rows = await postgres().query('SELECT count(*)::int AS n FROM kept');
        expect(rows, paths.join()).toEqual([{ n: 2 }]);
        const raw = await ask('/sql', jsonBody({ query: 'SELECT 1 AS x' }));
        expect(raw.status, `${paths.join()} ${raw.text}`).toBe(200);
      }),
      { numRuns: 8 },
    );
    await expect.poll(async () => (await ask('/tables/kept/rows')).status).toBe(200);
  });
});
