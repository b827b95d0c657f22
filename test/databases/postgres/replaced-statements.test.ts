/**
 * A function of the database that replaces the studio's prepared statements does not change later
 * responses.
 */
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createStudio } from '../../../src/studio/studio.ts';
import { requestSender, jsonBody } from '../../security/send-request.ts';
import { usePostgres } from '../../servers/postgres.ts';
import { openDatabase } from '../registered-databases.ts';
import type { Row } from '../../../src/model/values.ts';
import type { Studio } from '../../../src/studio/studio.ts';

const postgres = usePostgres();
let studio: Studio | undefined;

const decoy = `replace(regexp_replace(r.statement, '^PREPARE .*? AS ', ''), 'kept', 'decoy')`;
/** Also replaces the check of the driver, by one that finds nothing. */
const decoyOrCheck = `CASE r.name WHEN 'studio_check' THEN 'SELECT false' ELSE ${decoy} END`;

/** Replaces each prepared statement of the session by one of the same name, such as one that reads `decoy`. */
const replaceBy = (text: string): string => `
  FOR r IN SELECT name, statement, parameter_types FROM pg_prepared_statements LOOP
    EXECUTE format('DEALLOCATE %I', r.name);
    EXECUTE format('PREPARE %I %s AS %s', r.name,
      CASE WHEN cardinality(r.parameter_types) = 0 THEN '' ELSE '(' || array_to_string(r.parameter_types, ', ') || ')' END,
      ${text});
  END LOOP;`;
const replace = replaceBy(decoy);

/** What a function does before, to the check that is bound already. */
const preparations: Readonly<Record<string, string>> = {
  none: '',
  fetching: `c := ''; FETCH c INTO found;`,
  closing: `EXECUTE 'CLOSE ALL';`,
  moving: `c := ''; MOVE FORWARD ALL IN c;`,
  opening: `c := ''; OPEN c FOR SELECT false;`,
};

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
    CREATE FUNCTION writes() RETURNS int LANGUAGE sql AS $$ INSERT INTO kept VALUES (9, 'kept 9') RETURNING id $$;
    CREATE VIEW replacing AS SELECT 1 AS id, replaces() AS x;
    CREATE VIEW failing AS SELECT 1 AS id, fails() AS x;
    CREATE TABLE fired (id int PRIMARY KEY, n int); INSERT INTO fired VALUES (1, 0);
    CREATE TABLE late (id int PRIMARY KEY, n int); INSERT INTO late VALUES (1, 0);
    CREATE FUNCTION forgets() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN EXECUTE 'DEALLOCATE ALL'; RETURN NEW; END $$;
    CREATE TABLE forgotten (id int PRIMARY KEY, n int); INSERT INTO forgotten SELECT i, 0 FROM generate_series(1, 5) i;
    CREATE TRIGGER now BEFORE UPDATE ON forgotten FOR EACH ROW EXECUTE FUNCTION forgets();
    CREATE TRIGGER now BEFORE UPDATE ON fired FOR EACH ROW EXECUTE FUNCTION fires();
    CREATE CONSTRAINT TRIGGER later AFTER UPDATE ON late DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION fires()`);
  for (const [name, preparation] of Object.entries(preparations))
    await postgres().query(`
      CREATE FUNCTION does_${name}() RETURNS int LANGUAGE plpgsql AS $$
      DECLARE r record; c refcursor; found record; BEGIN
        BEGIN ${preparation} EXCEPTION WHEN invalid_cursor_name OR duplicate_cursor THEN END;
        ${replaceBy(decoyOrCheck)} PERFORM pg_advisory_lock(5151); RETURN 1; END $$;
      CREATE VIEW ${name} AS SELECT 1 AS id, does_${name}() AS x`);
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

describe('a function that knows the check of the driver', () => {
  /** Each read is a transaction of its own; all use one connection. The studio itself does not read such views. */
  async function withReads(
    work: (read: (text: string) => Promise<readonly Row[]>) => Promise<void>,
  ): Promise<void> {
    const url = new URL(postgres().url);
    url.searchParams.set('pool_max_conns', '1');
    const database = await openDatabase({ url: url.href, readOnly: false, create: false });
    try {
      await work((text) =>
        database.read(async (session) => (await session.run({ text, params: [] })).rows),
      );
    } finally {
      await database.close();
    }
  }

  test.each(Object.keys(preparations))(
    '%s: changes no later response, and leaves no lock',
    (view) =>
      withReads(async (read) => {
        for (let round = 0; round < 3; round++) {
          // A statement is prepared on its second use, and the check on the second read.
          for (let i = 0; i < 4; i++)
            expect(await read('SELECT name FROM kept WHERE id = 2')).toEqual([['kept 2']]);
          expect(await read(`SELECT x FROM ${view}`)).toEqual([[1]]);
          const locks = `SELECT count(*)::int AS held FROM pg_locks
    JOIN pg_database d ON d.oid = database AND datname = current_database() WHERE locktype = 'advisory'`;
          expect(await postgres().query(locks)).toEqual([{ held: 0 }]);
        }
      }),
  );

  test('is run by these reads, in a read-only transaction', () =>
    withReads(async (read) => {
      for (let i = 0; i < 4; i++) {
        await expect(read('SELECT writes()')).rejects.toMatchObject({ code: expect.anything() });
        const settings = `SELECT current_setting('transaction_read_only'), current_setting('work_mem')`;
        const [[readOnly, memory] = []] = await read(settings);
        expect(readOnly).toBe('on');
        await read(`SELECT set_config('work_mem', '12345kB', false)`);
        expect((await read(settings))[0]).toEqual([readOnly, memory]);
      }
      expect(await postgres().query('SELECT count(*)::int AS n FROM kept')).toEqual([{ n: 5 }]);
    }));
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
