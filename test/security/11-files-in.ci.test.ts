/** Hostile uploads are rejected with a clear 4xx error, and leave nothing behind (SECURITY.md 11). */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { routes } from '../../src/contract/routes.ts';
import { limitedBody } from '../../src/http/read-body.ts';
import { errorDefinitions } from '../../src/model/errors.ts';
import { serve } from '../contract/server.ts';
import { describeOnEachDatabase } from '../databases/kit/harness.ts';
import { failureOf } from '../databases/kit/harness.ts';
import { tableWithId, optional } from '../databases/kit/tables.ts';
import { importFile } from '../databases/importing.ts';
import { importText } from '../databases/import-job.ts';
import { requestSender, fileBody } from './send-request.ts';
import { hostileDataFiles, hostileModelFiles, hostileSchemaFiles } from './hostile-files.ts';
import type { TestResponse, TestStudio } from '../contract/server.ts';
import type { FailureDetails } from '../databases/kit/harness.ts';
import type { HostileFile } from './hostile-files.ts';

/** Expects a 4xx error with a message of reasonable length. */
function expectClientError({ code, message }: FailureDetails): void {
  const { status } = errorDefinitions[code];
  expect([status >= 400 && status < 500, code]).toEqual([true, code]);
  expect(message.length).toBeGreaterThan(10);
  expect(message.length).toBeLessThan(2000);
}

const maxUploadBytes = 1_000_000;
const files: readonly HostileFile[] = await hostileDataFiles();

describeOnEachDatabase('hostile files', (harness) => {
  /** A rolled back import does not give back the auto-increment values that it has used. */
  const state = async (): Promise<string> =>
    (await harness.database.fingerprint()).replaceAll(/ AUTO_INCREMENT=\d+/g, '');

  harness.beforeTests(() =>
    harness.createTables([
      tableWithId('items', [optional('name', { kind: 'text' })]),
      // The content of the fingerprint on PostgreSQL.
      tableWithId('users', []),
    ]),
  );

  test.each(files.map((file) => [file.title, file] as const))(
    'are rejected as data, and change nothing: %s',
    async (_title, { name, content }) => {
      const before = await state();
      const importing = importFile(harness.database.url, [name, content], {
        table: tableFor(name),
        maxUploadBytes,
      });
      expectClientError(await failureOf(importing));
      expect(await state()).toBe(before);
    },
  );

  test.each(hostileSchemaFiles.map((file) => [file.title, file] as const))(
    'are rejected as a schema, and change nothing: %s',
    async (_title, { name, content }) => {
      const before = await state();
      expectClientError(await failureOf(importText(name, content, { url: harness.database.url })));
      expect(await state()).toBe(before);
    },
  );
});

/** A file of one table needs the name of the table. */
function tableFor(name: string): string | undefined {
  return /\.(csv|xlsx)$/.test(name) ? 'items' : undefined;
}

describe('hostile files over HTTP, each in a process of its own', () => {
  let temporaryFolder: string;
  let served: TestStudio;
  /** What is in the temporary folder while no import runs: the database, and a folder of the studio. */
  let initialEntries: readonly string[];
  const original = process.env['TMPDIR'];

  beforeAll(async () => {
    temporaryFolder = mkdtempSync(join(tmpdir(), 'studio-security-'));
    process.env['TMPDIR'] = temporaryFolder;
    served = await serve({ maxUploadBytes });
    initialEntries = readdirSync(temporaryFolder);
  });

  afterAll(async () => {
    await served.close();
    if (original === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = original;
    rmSync(temporaryFolder, { recursive: true, force: true });
  });

  const newEntries = (): readonly string[] =>
    readdirSync(temporaryFolder).filter((name) => !initialEntries.includes(name));
  const state = (): unknown =>
    served.database.raw
      .prepare('SELECT (SELECT count(*) FROM users), (SELECT group_concat(sql) FROM sqlite_schema)')
      .raw()
      .get();

  async function expectRejected(path: string, init: RequestInit): Promise<void> {
    const before = state();
    const response = await requestSender(served.studio)(path, init);
    expect([response.status >= 400 && response.status < 500, response.text]).toEqual([
      true,
      response.text,
    ]);
    expect(response.json['code']).not.toBe('internal');
    expect(state()).toEqual(before);
    expect(newEntries()).toEqual([]);
  }

  const filesSentOverHttp = [
    'bomb.zip',
    'lies.zip',
    'sheet.xlsx',
    'deep.json',
    'quote.csv',
    'deep.sql',
  ];
  test.each(
    files
      .filter(({ name }) => filesSentOverHttp.includes(name))
      .map((file) => [file.title, file] as const),
  )('are rejected as data, and leave no files: %s', async (_title, { name, content }) => {
    await expectRejected('/import/data?table=users', fileBody(name, content));
  });

  test.each(hostileModelFiles.map((file) => [file.title, file] as const))(
    'are rejected as models, and leave no files: %s',
    async (_title, { name, content }) => {
      await expectRejected('/import/models', fileBody(name, content));
    },
  );

  const boundary = 'b';
  const type = `multipart/form-data; boundary=${boundary}`;
  const part = (head: string, text = ''): string => `--${boundary}\r\n${head}\r\n\r\n${text}\r\n`;
  const fileHead = 'Content-Disposition: form-data; name="file"; filename="a.csv"';
  const end = `--${boundary}--\r\n`;

  test.each<readonly [title: string, type: string, body: string]>([
    ['no boundary', 'multipart/form-data', part(fileHead, 'id\n7') + end],
    ['an empty boundary', 'multipart/form-data; boundary=', part(fileHead, 'id\n7') + end],
    ['another boundary', 'multipart/form-data; boundary=other', part(fileHead, 'id\n7') + end],
    ['no end', type, part(fileHead, 'id\n7')],
    ['an end within a head', type, `--${boundary}\r\nContent-Disposition: form-da`],
    ['no parts', type, end],
    ['nothing', type, ''],
    ['a part without a head', type, `--${boundary}\r\n\r\nid\r\n${end}`],
    ['a file in another field', type, part(fileHead.replace('"file"', '"other"'), 'id\n7') + end],
    [
      'a file without a name',
      type,
      part('Content-Disposition: form-data; name="file"', 'id\n7') + end,
    ],
    ['a thousand and one files', type, part(fileHead, 'id').repeat(1001) + end],
    [
      'a thousand fields',
      type,
      part('Content-Disposition: form-data; name="x"', '1').repeat(1000) +
        part(fileHead, 'id') +
        end,
    ],
    [
      'a field of two megabytes',
      type,
      part('Content-Disposition: form-data; name="table"', 'x'.repeat(2_000_000)) + end,
    ],
    ['a head of a megabyte', type, part(`X-Long: ${'x'.repeat(1_000_000)}`, 'id') + end],
    ['ten thousand lines of a head', type, part('X-A: b\r\n'.repeat(10_000).trimEnd(), 'id') + end],
    ['a file beyond the limit', type, part(fileHead, 'x'.repeat(1_100_000)) + end],
    ['a form that is none', 'application/x-www-form-urlencoded', 'file=id'],
    ['JSON', 'application/json', '{"file":"id"}'],
    ['text', 'text/plain', part(fileHead, 'id') + end],
    [
      'parts in parts',
      type,
      part(`Content-Type: multipart/mixed; boundary=c`, '--c\r\n\r\nx\r\n--c--') + end,
    ],
  ])('a form with %s is rejected', async (_title, contentType, body) => {
    await expectRejected('/import/data?table=users', {
      method: 'POST',
      headers: { 'Content-Type': contentType },
      body,
    });
  });

  test.each([
    '../../../etc/cron.d/x.csv',
    '/etc/x.csv',
    'C:\\x.csv',
    'con.csv',
    'a\u202evsc.exe.csv',
    '.csv',
    `${'x'.repeat(5000)}.csv`,
  ])('a file named %j is stored only in its own folder', async (name) => {
    await expectRejected('/import/data?table=users', fileBody(name, 'nothing\n7\n'));
  });

  test('a body with a Content-Length over the limit is rejected before it is read', async () => {
    const response: TestResponse = await served.ask(routes['import-data'], {
      query: 'table=users',
      headers: { 'Content-Type': type },
      announcedBytes: 100_000_000,
    });
    expect(response.status).toBe(413);
    expect(newEntries()).toEqual([]);
  });
});

describe('a request body that arrives slowly', () => {
  async function* slowChunks(count: number, bytes: number): AsyncGenerator<Uint8Array> {
    for (let i = 0; i < count; i++) {
      await new Promise((resolve) => setTimeout(resolve, 5));
      yield new Uint8Array(bytes);
    }
  }

  const read = async (body: AsyncIterable<Uint8Array>): Promise<number> => {
    const request = new Request('http://localhost/', {
      method: 'POST',
      body: ReadableStream.from(body),
      duplex: 'half',
    });
    let bytes = 0;
    for await (const chunk of limitedBody(request, 10_000_000, 200)) bytes += chunk.byteLength;
    return bytes;
  };

  test('is canceled if it arrives byte by byte, although it never pauses', async () => {
    await expect(read(slowChunks(100_000, 1))).rejects.toMatchObject({ code: 'invalid_body' });
  });

  test('is read completely if its rate is above the minimum', async () => {
    expect(await read(slowChunks(100, 2000))).toBe(200_000);
  });
});
