/** Settings of workers of Citus, which differ from those of the studio's sessions, have no effect. */
import { randomInt } from 'node:crypto';
import { Client } from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { openVisitor, useCitus } from './citus.ts';

const columns = `id int PRIMARY KEY, at timestamptz, range tstzrange, many timestamptz[], ranges tstzmultirange,
  pause interval, ratio float8, part float4, bytes bytea, day date`;

const values = (
  seed: number,
): string => `SELECT g, t, tstzrange(t, NULL), ARRAY[t], tstzmultirange(tstzrange(t, t + interval '1 year')),
  g * interval '1 day 3 hours', g / 3.0, g / 7.0, decode(to_hex(g + 16), 'hex'), t::date
  FROM generate_series(1, 40) g, LATERAL (SELECT timestamptz '2025-03-01T00:00:00Z' + g * ${seed} * interval '1 minute' AS t) x`;

const workerSettings: Readonly<Record<string, string>> = {
  TimeZone: 'America/New_York',
  DateStyle: 'SQL, DMY',
  IntervalStyle: 'sql_standard',
  bytea_output: 'escape',
  extra_float_digits: '-10',
};

const cluster = useCitus(async ({ nodes }) => {
  const [coordinator, ...workers] = nodes;
  const seed = Number(process.env['STUDIO_TEST_SEED'] ?? randomInt(1, 2000)) % 2000;
  for (const worker of workers) {
    for (const [name, value] of Object.entries(workerSettings))
      await worker.query(`ALTER ROLE postgres SET ${name} = '${value}'`);
  }
  for (const table of ['distributed', 'local']) await coordinator.query(`CREATE TABLE ${table} (${columns})`); // prettier-ignore
  await coordinator.query("SELECT create_distributed_table('distributed', 'id')");
  for (const table of ['distributed', 'local'])
    await coordinator.query(`SET TimeZone = 'UTC'; INSERT INTO ${table} ${values(seed)}`);
});

test.for([
  'rows?',
  ...['2025-03%25', '2025-03-02%25', '%2522:%25'].map((pattern) => `rows?filter_at=${pattern}`),
  'rows?filter_at__starts=2025-03-02',
  'rows?filter_range__contains=2025-03-02',
  'rows?filter_many__contains=2025-03-02',
  'rows?filter_pause__starts=1 day',
  'rows?filter_ratio__starts=0.333',
  'rows?filter_part__starts=0.142',
  'rows?filter_bytes__starts=%5Cx1',
  'rows?search=2025-03-02',
  'rows?sort_by=range',
  'export?format=csv',
])('%s is as of a table of the coordinator', async (request) => {
  const { ask } = await openVisitor(cluster());
  const texts: string[] = [];
  for (const table of ['distributed', 'local']) {
    const { status, text } = await ask('GET', `/tables/${table}/${request}`);
    expect(status, text).toBe(200);
    texts.push(text.replaceAll(table, 'table'));
  }
  expect(texts[0]).toBe(texts[1]);
});

test('a row that another session has locked is an error after the time limit of locks', async () => {
  const { ask } = await openVisitor(cluster());
  const other = new Client({ connectionString: cluster().nodes[0].url });
  await other.connect();
  onTestFinished(() => other.end());
  await other.query("BEGIN; UPDATE distributed SET pause = '1 day' WHERE id = 3");
  const replies = await Promise.all([
    ask('PUT', '/tables/distributed/rows/3', { pause: '2 days' }),
    ask('POST', '/sql', { query: "UPDATE distributed SET pause = '2 days'" }),
  ]);
  for (const { status, body } of replies) {
    expect([status, body['code']]).toEqual([503, 'database_busy']);
    expect(body['error']).toMatch(/^Another transaction held a lock.*; nothing was written\.$/);
  }
});
