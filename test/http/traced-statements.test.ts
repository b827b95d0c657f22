/** The trace of a request in its statements, and how long these took. The database itself says what it received. */
import * as fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { createStudio } from '../../src/index.ts';
import { createStatementTimer } from '../../src/model/statement-timer.ts';
import { readTraceparent } from '../../src/model/traceparent.ts';
import { fakeStudio } from './fake-studio.ts';
import { createApp } from '../../src/http/app.ts';
import { useMariadb } from '../servers/mariadb.ts';
import { usePostgres } from '../servers/postgres.ts';
import type { CreateStudioOptions, EmbeddedStudio } from '../../src/index.ts';

const hex = (length: number): fc.Arbitrary<string> =>
  fc.stringMatching(new RegExp(`^[0-9a-f]{${length}}$`));
const traceparents = fc
  .tuple(fc.constantFrom('00', '01', 'cc'), hex(32), hex(16), hex(2))
  .filter(([, trace, span]) => /[^0]/.test(trace) && /[^0]/.test(span))
  .map((parts) => parts.join('-'));

/** Texts that come close to a valid value, or that would end a comment or a string. */
const invalid = fc
  .oneof(
    fc.tuple(traceparents, fc.constantFrom("'*/ DROP TABLE t; /*", '*/', "'", '-', 'a', '\\')),
    fc.tuple(fc.constantFrom('*/', '/*', "'", '0', 'A'), traceparents),
    fc.tuple(
      traceparents.map((text) => text.replace(/[\da-f](?=[^-]*$)/, '*')),
      fc.constant(''),
    ),
    fc.tuple(
      traceparents.map((text) => `ff${text.slice(2)}`),
      fc.constant(''),
    ),
    fc.constant(['00-0123456789abcdef0123456789abcdef-0000000000000000-01', '']),
    fc.constant(['00-00000000000000000000000000000000-0123456789abcdef-01', '']),
    fc.tuple(fc.string(), fc.string()),
  )
  .map((parts) => parts.join(''));

const options: CreateStudioOptions = { url: ':memory:', traceSql: true, allowDdl: true };
const open: EmbeddedStudio[] = [];
afterAll(() => Promise.all(open.map((studio) => studio.close())));

interface Reply {
  readonly status: number;
  readonly timing: string;
  readonly body: { readonly rows?: readonly Readonly<Record<string, unknown>>[] };
}

type Ask = (query: string, traceparent?: string) => Promise<Reply>;

async function studioOn(changes: Partial<CreateStudioOptions>): Promise<Ask> {
  const studio = await createStudio({ ...options, ...changes } as CreateStudioOptions);
  open.push(studio);
  return async (query, traceparent) => {
    const response = await studio.fetch(
      new Request('http://localhost/studio/api/sql', {
        method: 'POST',
        headers: {
          'Content-Type': 'application/json',
          ...(traceparent === undefined ? {} : { traceparent }),
        },
        body: JSON.stringify({ query }),
      }),
    );
    const body = (await response.json()) as Reply['body'];
    return { status: response.status, timing: response.headers.get('server-timing') ?? '', body };
  };
}

const mariadb = useMariadb();
const postgres = usePostgres();

/** How each server shows the statement that it is running. */
const servers = [
  {
    name: 'PostgreSQL',
    url: () => postgres().url,
    query: 'SELECT query FROM pg_catalog.pg_stat_activity WHERE pid = pg_catalog.pg_backend_pid()',
  },
  {
    name: 'MariaDB',
    url: () => mariadb().url,
    query: 'SELECT info FROM information_schema.processlist WHERE id = connection_id()',
  },
] as const;

describe.each(servers)('$name', ({ url, query }) => {
  const received = async (ask: Ask, traceparent?: string): Promise<string> => {
    const { status, body } = await ask(query, traceparent);
    expect(status).toBe(200);
    const [text] = Object.values(body.rows?.[0] ?? {});
    return String(text);
  };

  test('receives the trace in front of the statement', async () => {
    const ask = await studioOn({ url: url() });
    await fc.assert(
      fc.asyncProperty(traceparents, async (traceparent) => {
        const text = await received(ask, traceparent);
        expect(text.startsWith(`/*traceparent='${traceparent}'*/ `)).toBe(true);
        expect(text).toContain(query.replace(/^SELECT/, ''));
      }),
      { numRuns: 20 },
    );
    expect(await received(ask)).not.toContain('traceparent');
  });

  test('receives nothing of a header that is not exactly a trace, or that nobody asked for', async () => {
    const ask = await studioOn({ url: url() });
    const sendable = invalid.map((text) => text.replace(/[^\x20-\x7e]/g, '').trim());
    await fc.assert(
      fc.asyncProperty(sendable, async (traceparent) => {
        expect(await received(ask, traceparent)).toBe(await received(ask));
      }),
      { numRuns: 50 },
    );
    const untraced = await studioOn({ url: url(), traceSql: false });
    const [traceparent = ''] = fc.sample(traceparents, 1);
    expect(await received(untraced, traceparent)).not.toContain('traceparent');
  });

  test.each([
    'SELEC 1',
    'SELECT 1 FROM missing_table',
    'SELECT 1,\n  no_column\nFROM (SELECT 1 AS a) t',
    "SELECT 'ä🎉', FROM t",
    "SELECT 'open",
    'SELECT 1 /* open',
    'SELECT 1 -- comment',
    'SELECT 1;',
    '/* first */ SELECT 2',
    'CREATE TABLE traced (id INT PRIMARY KEY); ',
    'INSERT INTO traced VALUES (1)',
    'INSERT INTO traced VALUES (2), (1)',
    'UPDATE traced SET id = id + 1',
    'DROP TABLE traced',
  ])('answers as without a trace: %s', async (text) => {
    const [traceparent = ''] = fc.sample(traceparents, 1);
    const plain = await studioOn({ url: url() });
    const undo: Readonly<Record<string, string>> = {
      'CREATE TABLE traced (id INT PRIMARY KEY); ': 'DROP TABLE traced',
      'INSERT INTO traced VALUES (1)': 'DELETE FROM traced',
      'UPDATE traced SET id = id + 1': 'UPDATE traced SET id = id - 1',
      'DROP TABLE traced': 'CREATE TABLE traced (id INT PRIMARY KEY)',
    };
    const expected = await plain(text);
    if (undo[text] !== undefined) expect((await plain(undo[text])).status).toBe(200);
    const { status, body } = await plain(text, traceparent);
    expect({ status, body: withoutTime(body) }).toEqual({
      status: expected.status,
      body: withoutTime(expected.body),
    });
  });

  test('receives the trace of pages and exports', async () => {
    const ask = await studioOn({ url: url() });
    expect((await ask(`CREATE VIEW running_statement (sent) AS ${query}`)).status).toBe(200);
    const studio = open.at(-1);
    const [traceparent = ''] = fc.sample(traceparents, 1);
    for (const path of ['/tables/running_statement/rows', '/tables/running_statement/export']) {
      const request = new Request(`http://localhost/studio/api${path}`, {
        headers: { traceparent },
      });
      const text = await (await studio?.fetch(request))?.text();
      expect(text, path).toContain(`/*traceparent='${traceparent}'*/ `);
    }
  });

  test('says how long the statements of a request took', async () => {
    const ask = await studioOn({ url: url() });
    const { timing } = await ask(query);
    expect(timing).toMatch(/^database;dur=\d+(\.\d)?, total;dur=\d+(\.\d)?$/);
    const [database = NaN, total = NaN] = timing.match(/[\d.]+/g)?.map(Number) ?? [];
    expect(database).toBeGreaterThan(0);
    expect(database).toBeLessThanOrEqual(total);
  });
});

function withoutTime({ ...body }: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(body).filter(([name]) => !/ms|duration/.test(name)));
}

test('a header is a trace, or is ignored', () => {
  fc.assert(
    fc.property(traceparents, (text) => {
      expect(readTraceparent(text)).toBe(text);
    }),
  );
  fc.assert(
    fc.property(invalid, (text) => {
      expect(readTraceparent(text)).toBeUndefined();
    }),
  );
});

describe('a response', () => {
  test('of SQLite has the time of the process that reads the file', async () => {
    const ask = await studioOn({ url: ':memory:' });
    expect((await ask('SELECT 1')).timing).toMatch(/^database;dur=[\d.]+, total;dur=[\d.]+$/);
  });

  test('that needs no database has only the total, and a rejected login none', async () => {
    const credentials = { account: { user: 'ada', password: 'secret' } };
    const app = createApp(fakeStudio(), { credentials });
    const timingOf = async (path: string): Promise<string | null> => {
      const response = await app.fetch(new Request(`http://localhost/studio/api${path}`));
      return response.headers.get('server-timing');
    };
    expect(await timingOf('/live')).toMatch(/^total;dur=[\d.]+$/);
    expect(await timingOf('/schema')).toBeNull();
  });

  test('is logged with its trace', async () => {
    const lines: object[] = [];
    const log = { info: (fields: object) => void lines.push(fields), error: () => {} };
    const app = createApp(fakeStudio(), { log });
    const [traceparent = ''] = fc.sample(traceparents, 1);
    const ask = (headers: Record<string, string>): Promise<Response> =>
      app.fetch(new Request('http://localhost/studio/api/live', { headers }));
    await ask({ traceparent });
    await ask({ traceparent: `${traceparent}x` });
    expect(lines).toMatchObject([
      { trace_id: traceparent.split('-')[1] },
      { route: 'get-liveness' },
    ]);
    expect(lines[1]).not.toHaveProperty('trace_id');
  });
});

test('time in which statements overlap counts once', () => {
  fc.assert(
    fc.property(fc.array(fc.boolean(), { maxLength: 30 }), (steps) => {
      const timer = createStatementTimer();
      expect(timer.elapsedMs()).toBeUndefined();
      const startedAt = performance.now();
      const running: (() => void)[] = [];
      for (const begins of steps) {
        if (begins) running.push(timer.begin());
        else running.pop()?.();
      }
      const elapsed = timer.elapsedMs() ?? 0;
      expect(elapsed).toBeLessThanOrEqual(performance.now() - startedAt);
      for (const end of running) end();
      const atEnd = timer.elapsedMs();
      expect(timer.elapsedMs()).toBe(atEnd);
    }),
  );
});
