/**
 * Functions in C that declare themselves STABLE although they run what they are given or change something, as
 * some of tablefunc and Citus do, also in pg_catalog (SECURITY.md 4).
 */
import { afterAll, expect, test } from 'vitest';
import { createStudio } from '../../src/studio/studio.ts';
import { usePostgres } from '../servers/postgres.ts';
import { requestSender, jsonBody } from './send-request.ts';
import type { Studio } from '../../src/studio/studio.ts';

const postgres = usePostgres();
const studios: Studio[] = [];
afterAll(() => Promise.all(studios.map((studio) => studio.close())));

const runs = `RETURNS SETOF record LANGUAGE c STABLE AS '$libdir/tablefunc', 'crosstab'`;
const signatures = ['text', 'text[]', 'varchar', 'name', 'cstring', 'int, text[], bool', 'VARIADIC text[]', 'anyelement']; // prettier-ignore

/** No statement of this test runs: the code behind the functions does not have these arguments. */
test.each(['public', 'pg_catalog'])('are no reads in %s', async (schema) => {
  const names = signatures.map((_, i) => `runs_${schema}_${i}`);
  const definitions = signatures.map((args, i) => `CREATE FUNCTION ${schema}.${names[i]}(${args}) ${runs}`); // prettier-ignore
  await postgres().query(definitions.join(';'));
  await postgres().query(
    `CREATE FUNCTION ${schema}.acts_${schema}(int) RETURNS void LANGUAGE c STABLE AS '$libdir/tablefunc', 'crosstab'`,
  );
  const studio = await createStudio({ url: postgres().url, readOnly: true });
  studios.push(studio);
  const send = requestSender(studio);
  const values = ["'a'", "ARRAY['a']", "'a'", "'a'", "'a'", "1, ARRAY['a'], true", "'a', 'b'", '1']; // prettier-ignore
  const calls = names.map((name, i) => `SELECT * FROM ${name}(${values[i]}) AS f (a int)`);
  for (const query of [...calls, `SELECT acts_${schema}(1)`]) {
    const { status, json } = await send('/sql', jsonBody({ query }));
    expect([query, status, json['code']]).toEqual([query, 403, 'statement_refused']); // prettier-ignore
  }
});

test('others stay reads', async () => {
  await postgres().query('CREATE EXTENSION IF NOT EXISTS unaccent; CREATE EXTENSION IF NOT EXISTS pg_trgm; CREATE EXTENSION IF NOT EXISTS hstore'); // prettier-ignore
  const studio = await createStudio({ url: postgres().url, readOnly: true });
  studios.push(studio);
  const query = `SELECT unaccent('é'), similarity('a', 'ab'), show_trgm('a'), hstore('a', 'b') -> 'a', 'a' % 'ab', pg_table_size('pg_class'), to_tsvector('a'), (SELECT count(*) FROM regexp_matches('a', 'a')), (SELECT count(*) FROM each(hstore('a', 'b'))), (SELECT count(*) FROM json_populate_recordset(NULL::pg_class, '[]')), current_setting('TimeZone')`;
  const { status, text } = await requestSender(studio)('/sql', jsonBody({ query }));
  expect([status, text]).toEqual([200, expect.stringContaining('"type":"read"')]);
});
