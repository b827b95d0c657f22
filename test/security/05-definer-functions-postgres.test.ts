/**
 * A function that runs with the privileges of its owner does not give file access to a login
 * without it (SECURITY.md 5).
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createStudio } from '../../src/studio/studio.ts';
import { usePostgres } from '../servers/postgres.ts';
import { requestSender, jsonBody } from './send-request.ts';
import type { Studio } from '../../src/studio/studio.ts';

const postgres = usePostgres();
const role = 'studio_plain_login';
let studio: Studio;

const runTextBody = 'DECLARE r text; BEGIN EXECUTE $1 INTO r; RETURN r; END';
const functions = [
  { name: 'definer_text', security: 'DEFINER', body: runTextBody, status: 403 },
  { name: 'invoker_text', security: 'INVOKER', body: runTextBody, status: 200 },
  { name: 'definer_fixed', security: 'DEFINER', body: 'BEGIN RETURN $1; END', status: 200 },
] as const;

beforeAll(async () => {
  const createFunctions = functions.map(
    ({ name, security, body }) =>
      `CREATE FUNCTION ${name}(text) RETURNS text LANGUAGE plpgsql SECURITY ${security} AS $f$ ${body} $f$`,
  );
  await postgres().query(`
    DROP ROLE IF EXISTS ${role}; CREATE ROLE ${role} LOGIN PASSWORD 'plain'; ${createFunctions.join(';\n')};
    CREATE VIEW wraps AS SELECT definer_text('SELECT pg_read_file(''PG_VERSION'')') AS x;
    GRANT SELECT ON wraps TO ${role}`);
  studio = await createStudio({ url: postgres().urlWith({ user: role, password: 'plain' }) });
});

afterAll(async () => {
  await studio.close();
  await postgres().query(`DROP OWNED BY ${role}; DROP ROLE ${role}`);
});

test.each(functions)('a call of $name has the status $status', async ({ name, status }) => {
  const ask = requestSender(studio);
  const query = `SELECT ${name}('SELECT 1') AS x`;
  expect(await ask('/sql', jsonBody({ query }))).toMatchObject({ status });
});

test('a read of a view that calls such a function is rejected', async () => {
  const ask = requestSender(studio);
  const response = await ask('/sql', jsonBody({ query: 'SELECT * FROM wraps' }));
  expect(response).toMatchObject({ status: 403 });
});
