/**
 * A function of the database that replaces the studio's prepared statements does not change later
 * responses.
 */
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createStudio } from '../../../src/studio/studio.ts';
import { requestSender, jsonBody } from '../../security/send-request.ts';
import { usePostgres } from '../../servers/postgres.ts';
import type { Studio } from '../../../src/studio/studio.ts';

const postgres = usePostgres();
let studio: Studio | undefined;

/** Replaces each prepared statement of the session by one of the same name that reads `decoy`. */
const replace = `
  FOR r IN SELECT name, statement, parameter_types FROM pg_prepared_statements LOOP
    EXECUTE format('DEALLOCATE %I', r.name);
    EXECUTE format('PREPARE %I %s AS %s', r.name,
      CASE WHEN cardinality(r.parameter_types) = 0 THEN '' ELSE '(' || array_to_string(r.parameter_types, ', ') || ')' END,
      replace(r.statement, 'kept', 'decoy'));
  END LOOP;`;

beforeAll(async () => {
  try {
    postgres();
  } catch {
    // The tests are skipped, with the reason.
    return;
  }
  await postgres().query(`
    CREATE TABLE kept (id int PRIMARY KEY, name text);
    INSERT INTO kept SELECT i, 'kept ' || i FROM generate_series(1, 5) i;
    CREATE TABLE decoy (id int PRIMARY KEY, name text);
    INSERT INTO decoy SELECT i, 'decoy ' || i FROM generate_series(1, 3) i;
    CREATE FUNCTION replaces() RETURNS int LANGUAGE plpgsql AS $$ DECLARE r record; BEGIN ${replace} RETURN 1; END $$;
    CREATE FUNCTION fails() RETURNS int LANGUAGE plpgsql AS $$ DECLARE r record; BEGIN ${replace} RAISE 'no'; END $$;
    CREATE FUNCTION fires() RETURNS trigger LANGUAGE plpgsql AS $$ DECLARE r record; BEGIN ${replace} RETURN NEW; END $$;
    CREATE VIEW replacing AS SELECT 1 AS id, replaces() AS x;
    CREATE VIEW failing AS SELECT 1 AS id, fails() AS x;
    CREATE TABLE fired (id int PRIMARY KEY, n int); INSERT INTO fired VALUES (1, 0);
    CREATE TABLE late (id int PRIMARY KEY, n int); INSERT INTO late VALUES (1, 0);
    CREATE FUNCTION forgets() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN EXECUTE 'DEALLOCATE ALL'; RETURN NEW; END $$;
    CREATE TABLE forgotten (id int PRIMARY KEY, n int); INSERT INTO forgotten SELECT i, 0 FROM generate_series(1, 5) i;
    CREATE TRIGGER now BEFORE UPDATE ON forgotten FOR EACH ROW EXECUTE FUNCTION forgets();
    CREATE TRIGGER now BEFORE UPDATE ON fired FOR EACH ROW EXECUTE FUNCTION fires();
    CREATE CONSTRAINT TRIGGER later AFTER UPDATE ON late DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION fires()`);
  const url = new URL(postgres().url);
  url.searchParams.set('pool_max_conns', '1');
  studio = await createStudio({ url: url.href });
});
afterAll(() => studio?.close());

type Ask = ReturnType<typeof requestSender>;

const attacks: Readonly<Record<string, (ask: Ask) => Promise<unknown>>> = {
  view: (ask) => ask('/tables/replacing/rows'),
  'failing view': (ask) => ask('/tables/failing/rows'),
  trigger: (ask) => ask('/tables/fired/rows/1', jsonBody({ n: 1 }, 'PUT')),
  'deferred trigger': (ask) => ask('/tables/late/rows/1', jsonBody({ n: 1 }, 'PUT')),
  'raw SQL': (ask) => ask('/sql', jsonBody({ query: 'SELECT x FROM replacing' })),
  export: (ask) => ask('/export/table/replacing?format=json'),
};

test('rows and totals stay correct after any function has replaced them', async () => {
  const ask = requestSender(studio!);
  const rows = await postgres().query('SELECT id, name FROM kept ORDER BY id');
  const attack = fc.constantFrom(...Object.keys(attacks));
  const readAndExpect = async (): Promise<void> => {
    const list = await ask('/tables/kept/rows');
    expect(JSON.parse(list.text)).toMatchObject({ data: rows, total: rows.length });
    const one = await ask('/tables/kept/rows/2');
    expect(JSON.parse(one.text)).toEqual(rows[1]);
  };
  await fc.assert(
    fc.asyncProperty(fc.array(attack, { minLength: 1, maxLength: 5 }), async (names) => {
      // A statement is prepared on its second use.
      for (let i = 0; i < 3; i++) await readAndExpect();
      for (const name of names) {
        await attacks[name]?.(ask);
        await readAndExpect();
      }
    }),
    { numRuns: 12 },
  );
});

test('several changes succeed whose triggers deallocate the statements of the transaction', async () => {
  const ask = requestSender(studio!);
  for (let n = 1; n <= 4; n++) {
    const update = [1, 2, 3, 4, 5].map((id) => ({ id: String(id), values: { n } }));
    const { status, text } = await ask('/tables/forgotten/changes', jsonBody({ update }));
    expect(status, text).toBe(200);
    const stored = await postgres().query('SELECT n FROM forgotten');
    expect(stored).toEqual(update.map(() => ({ n })));
  }
});
