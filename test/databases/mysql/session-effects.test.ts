/**
 * Session changes by functions and triggers of MySQL and MariaDB affect no later request, and reads
 * write nothing.
 */
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createStudio } from '../../../src/studio/studio.ts';
import { requestSender, jsonBody } from '../../security/send-request.ts';
import { useMariadb } from '../../servers/mariadb.ts';
import type { SendRequest } from '../../security/send-request.ts';

const server = useMariadb();
let closeAll: (() => Promise<unknown>) | undefined;
let reader: SendRequest;
let writer: SendRequest;

/** Session changes that database code can make, each with a query that shows it. */
const effects: readonly string[] = [
  'SET SESSION time_zone = "+09:00"',
  'SET SESSION READ_ONLY_NAME = 0',
  'SET SESSION sql_select_limit = 1',
  'SET SESSION group_concat_max_len = 11, SESSION div_precision_increment = 9',
  'SET SESSION sql_mode = "PAD_CHAR_TO_FULL_LENGTH"',
  'SET @seen = 7',
  'DO GET_LOCK("studio_lock", 0)',
  'CREATE TEMPORARY TABLE IF NOT EXISTS plain AS SELECT 9 AS id, NOW() AS at, "" AS code',
];

/** For each change: a view, a view that fails, and a table with a trigger that fails if n is 13. */
function objectsWithEffect(effect: string, i: number): string {
  return `
    CREATE FUNCTION f${i}() RETURNS int MODIFIES SQL DATA BEGIN ${effect}; RETURN 1; END;
    CREATE FUNCTION e${i}() RETURNS int MODIFIES SQL DATA BEGIN ${effect}; SIGNAL SQLSTATE '45000'; RETURN 1; END;
    CREATE VIEW \`v\`\`${i}\` AS SELECT id, f${i}() AS x FROM plain;
    CREATE VIEW above${i} AS SELECT id, x + 1 AS y FROM \`v\`\`${i}\`;
    CREATE VIEW failing${i} AS SELECT 1 AS id, e${i}() AS x;
    CREATE TABLE fired${i} (id int PRIMARY KEY, n int);
    INSERT INTO fired${i} VALUES (1, 1);
    ${['INSERT', 'UPDATE', 'DELETE'].map((event) => trigger(event, effect, i)).join('')}`;
}

function trigger(event: string, effect: string, i: number): string {
  const row = event === 'DELETE' ? 'OLD' : 'NEW';
  return `CREATE TRIGGER ${event}${i} BEFORE ${event} ON fired${i} FOR EACH ROW BEGIN ${effect};
    IF ${row}.n = 13 THEN SIGNAL SQLSTATE '45000'; END IF; END;`;
}

beforeAll(async () => {
  try {
    server();
  } catch {
    // The tests are skipped, with the reason.
    return;
  }
  const { query, isMariadb, url } = server();
  const readOnlyName = isMariadb ? 'tx_read_only' : 'transaction_read_only';
  await query(`
    CREATE TABLE plain (id int PRIMARY KEY, at timestamp NULL, code char(5));
    INSERT INTO plain VALUES (1, '2026-01-02 03:04:05', 'a'), (2, '2026-07-02 03:04:05', 'b');
    CREATE TABLE journal (at timestamp NOT NULL DEFAULT CURRENT_TIMESTAMP);
    CREATE FUNCTION writes() RETURNS int MODIFIES SQL DATA BEGIN INSERT INTO journal VALUES (); RETURN 1; END;
    CREATE VIEW writing AS SELECT writes() AS id;
    CREATE VIEW locking AS SELECT GET_LOCK('studio_lock', 0) AS id;
    ${effects.map((effect, i) => objectsWithEffect(effect.replace('READ_ONLY_NAME', readOnlyName), i)).join('')}`);
  const studios = [await createStudio({ url, readOnly: true }), await createStudio({ url })];
  closeAll = () => Promise.all(studios.map((studio) => studio.close()));
  [reader, writer] = studios.map((studio) => requestSender(studio)) as [SendRequest, SendRequest];
});
afterAll(() => closeAll?.());

type Request = readonly [path: string, init?: RequestInit];

const views = fc
  .tuple(fc.constantFrom('v%60', 'above', 'failing'), fc.nat(effects.length - 1))
  .map(([name, i]) => `${name}${i}`);
const reads: fc.Arbitrary<Request> = fc.oneof(
  fc.constantFrom<Request>(
    ['/schema'],
    ['/tables/plain/rows'],
    ['/tables/writing/rows'],
    ['/tables/locking/rows'],
  ),
  fc
    .tuple(
      fc.oneof({ weight: 4, arbitrary: views }, { weight: 1, arbitrary: fc.constant('writing') }),
      fc.constantFrom(
        '/tables/*/rows',
        '/tables/*/rows?filter_id=1&total=exact',
        '/tables/*/rows/1',
        '/export/table/*?format=csv',
        '/export/table/*?format=json',
      ),
    )
    .map(([view, path]): Request => [path.replace('*', view)]),
  views.map((view): Request => {
    const name = view.replace('v%60', '`v``').replace(/^`.*/, '$&`');
    return ['/sql', jsonBody({ query: `SELECT * FROM ${name}` })];
  }),
);

let lastId = 100;
const writes: fc.Arbitrary<Request> = fc
  .tuple(
    fc.nat(effects.length - 1),
    fc.constantFrom(1, 13),
    fc.constantFrom('POST', 'PUT', 'DELETE'),
  )
  .map(([i, n, method]): Request => {
    const rows = `/tables/fired${i}/rows`;
    if (method === 'PUT') return [`${rows}/1`, jsonBody({ n }, 'PUT')];
    if (method === 'DELETE') return [`${rows}/1?permanent=true`, { method }];
    lastId += 1;
    return [rows, jsonBody({ id: lastId, n })];
  });

const probe = `SELECT @seen AS seen, @@group_concat_max_len AS most, 1 / 3 AS third, @@time_zone AS zone,
  @@sql_select_limit AS rows_most, @@sql_mode AS mode, IS_USED_LOCK('studio_lock') AS locked,
  (SELECT MAX(id) FROM plain) AS id`;

async function stateBy(ask: SendRequest): Promise<unknown> {
  const rows = await ask('/tables/plain/rows');
  const probed = await ask('/sql', jsonBody({ query: probe }));
  const journal = await server().query('SELECT COUNT(*) AS written FROM journal');
  return { rows: rows.json['data'], probed: probed.json['rows'], journal };
}

async function checkAll(ask: SendRequest, requests: fc.Arbitrary<Request>): Promise<void> {
  // The structure is cached before the first read.
  await ask('/schema');
  const before = await stateBy(ask);
  expect(before).toMatchObject({ probed: [{ seen: null, locked: null, id: 2 }] });
  await fc.assert(
    fc.asyncProperty(fc.array(requests, { minLength: 1, maxLength: 4 }), async (all) => {
      for (const [path, init] of all) {
        await ask(path, init);
        expect(await stateBy(ask), path).toEqual(before);
      }
    }),
    { numRuns: 25 },
  );
}

test('reads change no session and no table', () => checkAll(reader, reads));

test('writes, successful or failed, change no session', () => checkAll(writer, writes));
