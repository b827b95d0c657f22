/** No GET of a writable studio writes, and no statement leaves its settings for the next one (SECURITY.md 4). */
import { afterAll, describe, expect, test } from 'vitest';
import { routes } from '../../src/contract/routes.ts';
import { createStudio } from '../../src/studio/studio.ts';
import { useMariadb } from '../servers/mariadb.ts';
import { usePostgres } from '../servers/postgres.ts';
import { requestSender, jsonBody } from './send-request.ts';
import type { Route } from '../../src/contract/route.ts';
import type { Studio } from '../../src/studio/studio.ts';
import type { SendRequest } from './send-request.ts';

const views = ['writes', 'sets'] as const;

/** The paths of every GET route, for one table or view. */
function pathsOf(table: string): readonly string[] {
  return Object.values<Route>(routes)
    .filter(({ method }) => method === 'GET')
    .map(({ path }) =>
      path.replace(':table', table).replace(':column', 'id').replaceAll(/:\w+/g, '1'),
    )
    .flatMap((path) =>
      path.endsWith('/rows')
        ? [path, `${path}?sort_by=id&filter_id__gte=0`, `${path}?search=a&page=2`]
        : [path],
    )
    .flatMap((path) => (path.startsWith('/export') ? [`${path}?tables=${table}`] : [path]));
}

const studios: Studio[] = [];
afterAll(() => Promise.all(studios.map((studio) => studio.close())));

async function open(url: string): Promise<SendRequest> {
  const studio = await createStudio({ url, allowDdl: true });
  studios.push(studio);
  return requestSender(studio);
}

describe('on PostgreSQL', () => {
  const postgres = usePostgres();

  test('views that write change nothing by any GET', async () => {
    const database = postgres();
    await database.query(`CREATE TABLE users (id serial PRIMARY KEY, name text);
      INSERT INTO users (name) VALUES ('Ada');
      CREATE FUNCTION written() RETURNS int LANGUAGE plpgsql AS $$ BEGIN
        INSERT INTO users (name) VALUES ('x'); RETURN 1; END $$;
      CREATE VIEW writes AS SELECT written() AS id;
      CREATE VIEW sets AS SELECT 1 AS id,
        set_config('search_path', 'nowhere', false) AS path,
        set_config('default_transaction_read_only', 'off', false) AS access`);
    const ask = await open(database.url);
    const readUsers = (): Promise<unknown> => database.query('SELECT * FROM users');
    const before = await readUsers();
    for (const path of views.flatMap(pathsOf)) await ask(path);
    expect(await readUsers()).toEqual(before);
    expect((await ask('/tables/sets/rows')).status).toBe(200);
    expect((await ask('/tables/users/rows')).json).toMatchObject({ data: [{ name: 'Ada' }] });
    const searchPath = await ask('/sql', jsonBody({ query: 'SHOW search_path' }));
    expect(searchPath.text).not.toContain('nowhere');
  });

  test('session changes by a trigger of a row write end with its transaction', async () => {
    const database = postgres();
    await database.query(`CREATE TABLE kept (id int PRIMARY KEY);
      CREATE FUNCTION disturb() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        PERFORM set_config('search_path', 'pg_catalog', false), set_config('statement_timeout', '1234', false),
          pg_advisory_lock(4711);
        CREATE TEMP TABLE IF NOT EXISTS kept (id int); LISTEN news; RETURN NEW; END $$;
      CREATE TRIGGER disturbing BEFORE INSERT OR UPDATE ON kept FOR EACH ROW EXECUTE FUNCTION disturb()`);
    const ask = await open(database.urlWith({ search: '?pool_max_conns=1' }));
    const probe = `SELECT current_setting('search_path') AS path, current_setting('statement_timeout') AS timeout,
      current_setting('TimeZone') AS zone, (SELECT count(*) FROM pg_catalog.pg_locks WHERE locktype = 'advisory') AS locks`;
    const before = (await ask('/sql', jsonBody({ query: probe }))).json as object;
    const createdRow = await ask('/tables/kept/rows', jsonBody({ id: 1 }));
    expect(createdRow.status, createdRow.text).toBe(201);
    const after = (await ask('/sql', jsonBody({ query: probe }))).json;
    expect({ ...after, duration_ms: 0 }).toEqual({ ...before, duration_ms: 0 });
    expect((await ask('/tables/kept/rows')).json).toMatchObject({ data: [{ id: 1 }], total: 1 });
  });

  test('a temporary table hides no table from later requests', async () => {
    const database = postgres();
    await database.query('CREATE TABLE seen (id int PRIMARY KEY); INSERT INTO seen VALUES (7)');
    const ask = await open(database.url);
    expect((await ask('/sql', jsonBody({ query: 'CREATE TEMP TABLE seen (x int)' }))).status).toBe(
      200,
    );
    expect((await ask('/tables/seen/rows')).json).toMatchObject({ data: [{ id: 7 }] });
    expect((await ask('/sql', jsonBody({ query: 'SELECT * FROM seen' }))).json).toMatchObject({
      rows: [{ id: 7 }],
    });
  });
});

describe('on MariaDB', () => {
  const mariadb = useMariadb();

  test('views that write change nothing by any GET, and writes still work', async () => {
    const database = mariadb();
    await database.query(`CREATE TABLE users (id INT AUTO_INCREMENT PRIMARY KEY, name VARCHAR(9));
      INSERT INTO users (name) VALUES ('Ada')`);
    await database.query(
      "CREATE FUNCTION written() RETURNS INT MODIFIES SQL DATA BEGIN INSERT INTO users (name) VALUES ('x'); RETURN 1; END",
    );
    await database.query('CREATE VIEW writes AS SELECT written() AS id');
    const ask = await open(database.url);
    const readUsers = (): Promise<unknown> => database.query('SELECT * FROM users');
    const before = await readUsers();
    for (const path of pathsOf('writes')) await ask(path);
    expect(await readUsers()).toEqual(before);
    expect((await ask('/tables/users/rows', jsonBody({ name: 'Eve' }))).status).toBe(201);
    for (const query of ['CREATE TABLE made (id INT)', 'ANALYZE TABLE made', 'DROP TABLE made'])
      expect((await ask('/sql', jsonBody({ query }))).status, query).toBe(200);
    for (const path of pathsOf('writes')) await ask(path);
    expect(await readUsers()).toHaveLength(2);
  });
});
