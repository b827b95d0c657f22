/**
 * No reading route of the contract causes effects outside of its transaction when it reads a
 * relation (SECURITY.md 4). A new route is tested as soon as it is in the contract.
 */
import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { routes } from '../../src/contract/routes.ts';
import { createStudio } from '../../src/studio/studio.ts';
import { usePostgres } from '../servers/postgres.ts';
import { requestSender, jsonBody } from './send-request.ts';
import type { Route } from '../../src/contract/route.ts';
import type { Studio } from '../../src/studio/studio.ts';
import type { SendRequest } from './send-request.ts';

const postgres = usePostgres();
const role = 'studio_route_reader';
let folder = '';
let studio: Studio;
let ask: SendRequest;

/** Reading a row of `users` or `user_names` writes a file on the server, by the function `write_file`. */
const setupSql = (): string => `
  DROP ROLE IF EXISTS ${role}; CREATE ROLE ${role} LOGIN PASSWORD 'reader';
  GRANT pg_write_server_files TO ${role};
  CREATE FUNCTION write_file() RETURNS bool LANGUAGE plpgsql AS $$ BEGIN
    EXECUTE 'COPY (SELECT 1) TO ''${folder}/' || to_char(clock_timestamp(), 'HH24MISSUS') || ''''; RETURN true; END $$;
  CREATE TABLE users (id int PRIMARY KEY, name text);
  CREATE TABLE posts (id int PRIMARY KEY, user_id int REFERENCES users, title text);
  INSERT INTO users VALUES (1, 'Ada'); INSERT INTO posts VALUES (1, 1, 'First');
  CREATE VIEW user_names AS SELECT id, name FROM users WHERE write_file();
  CREATE POLICY writing ON users USING (write_file()); ALTER TABLE users ENABLE ROW LEVEL SECURITY;
  GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO ${role}`;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'reading-routes-'));
  await chmod(folder, 0o777);
  await postgres().query(setupSql());
  studio = await createStudio({ url: postgres().urlWith({ user: role, password: 'reader' }) });
  ask = requestSender(studio);
});

afterAll(async () => {
  await studio.close();
  await postgres().query(`DROP OWNED BY ${role}; DROP ROLE ${role}`);
  await rm(folder, { recursive: true, force: true });
});

/** Removes the files, so that a file that one route has caused does not fail the test of the next one. */
afterEach(async () => {
  for (const file of await readdir(folder)) await rm(join(folder, file));
});

/** Values of the parameters in the paths of the contract. A new parameter needs one. */
const parameterValues: Readonly<Record<string, readonly string[]>> = {
  ':table': ['users', 'posts', 'user_names'],
  ':id': ['1'],
  ':column': ['name'],
  ':relation': ['Posts', 'User'],
  ':transfer': ['none'],
};

function pathsOf(path: string): readonly string[] {
  const [parameter] = /:\w+/.exec(path) ?? [];
  if (parameter === undefined) return [path];
  const values = parameterValues[parameter];
  if (values === undefined) throw new Error(`"${parameter}" has no value in this test.`);
  return values.flatMap((value) => pathsOf(path.replace(parameter, value)));
}

const readingRoutes = Object.entries<Route>(routes).filter(
  ([, { method, access }]) => method === 'GET' && access !== 'write',
);

/** No query, and a query for each parameter of a route, with a value that makes the route read more. */
function queriesOf({ query }: Route): readonly string[] {
  const values: Readonly<Record<string, string>> = {
    count: 'exact',
    counts: 'exact',
    labels: 'true',
    etags: 'true',
    search: 'a',
    cells: 'preview',
    tables: 'users,posts',
    format: 'json',
  };
  const names = Object.keys(query).filter((name) => Object.hasOwn(values, name));
  return ['', ...names.map((name) => `?${name}=${values[name]}`)];
}

test('without the studio, a read by this login writes a file', async () => {
  const client = new Client(postgres().urlWith({ user: role, password: 'reader' }));
  await client.connect();
  await client.query('SELECT * FROM users');
  await client.end();
  expect(await readdir(folder)).toHaveLength(1);
});

test.each(readingRoutes)('the route %s causes no file', async (_id, route) => {
  for (const path of pathsOf(route.path)) {
    for (const query of queriesOf(route)) {
      const response = await ask(path + query);
      expect(await readdir(folder), `${path}${query}\n${response.text}`).toEqual([]);
      const isUnreadable = path.startsWith('/tables/users/') && !path.endsWith('/User');
      if (isUnreadable) expect(response.json, path).toMatchObject({ code: 'table_unreadable' });
    }
  }
});

test('the route run-sql rejects the statements that would write a file', async () => {
  for (const query of ['SELECT * FROM users', 'SELECT * FROM user_names', 'SELECT write_file()']) {
    const response = await ask('/sql', jsonBody({ query }));
    expect(await readdir(folder), response.text).toEqual([]);
    expect(response.status).toBe(403);
  }
});
