/**
 * Imports over HTTP that are canceled or killed leave nothing in the database, in temporary
 * folders or in the log.
 */
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { createApp } from '../../../src/http/app.ts';
import { listen } from '../../../src/http/node.ts';
import { describeOnEachDatabase } from './harness.ts';
import { columnOf, int, name, tableWithId } from './tables.ts';
import type { ClientRequest, IncomingMessage } from 'node:http';
import type { HttpServer } from '../../../src/http/node.ts';

const boundary = 'studio-test';
const rows = Array.from({ length: 150_000 }, (_, i) => `${i + 10},${i},row ${i}`);
const file = Buffer.from(`id,n,note\n${rows.join('\n')}\n`);
const head = Buffer.from(
  `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="ended.csv"\r\n\r\n`,
);
const tail = Buffer.from(`\r\n--${boundary}--\r\n`);
const wholeForm = Buffer.concat([head, file, tail]);
const waitFor = { timeout: 60_000, interval: 20 };

/** The child processes that run jobs, and the spare process. */
function jobProcesses(): readonly number[] {
  const children = readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8').trim();
  return children
    .split(' ')
    .filter((pid) => pid !== '' && /\bjob\.[jt]s\0/.test(commandOf(pid)))
    .map(Number);
}

function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}

describeOnEachDatabase('imports that are canceled or killed', (harness) => {
  const originalTmpdir = process.env['TMPDIR'];
  const folder = mkdtempSync(join(tmpdir(), 'studio-ended-'));
  const error = vi.fn();
  let server: HttpServer;

  harness.beforeTests(async () => {
    await harness.createTables([
      tableWithId('ended', [columnOf('n', int), columnOf('note', name)]),
    ]);
    await harness.insertRows('ended', [{ id: 1, n: 1, note: 'there before' }]);
    server = await listen({
      app: createApp(harness.studio, { log: { error } }),
      host: '127.0.0.1',
      port: 0,
    });
  });
  beforeAll(() => void (process.env['TMPDIR'] = folder));
  afterAll(async () => {
    await server?.close();
    if (originalTmpdir === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = originalTmpdir;
    rmSync(folder, { recursive: true, force: true });
  });

  function begin(headers: Readonly<Record<string, string | number>> = {}): ClientRequest {
    const sending = request(`${server.address}/studio/api/import/data?table=ended`, {
      method: 'POST',
      headers: {
        'Content-Type': `multipart/form-data; boundary=${boundary}`,
        'Content-Length': wholeForm.length,
        ...headers,
      },
    });
    // The test itself destroys this request.
    sending.on('error', () => undefined);
    return sending;
  }

  /** The folders of uploads and jobs. Temporary files of SQLite are not checked here. */
  const folders = (): readonly string[] => readdirSync(folder);

  afterEach(async ({ task }) => {
    if (task.result?.state === 'skip' || server === undefined) return;
    await vi.waitFor(() => expect(folders()).toEqual([]), waitFor);
    await vi.waitFor(async () => expect((await harness.list('ended')).total).toBe(1), waitFor);
    expect(error).not.toHaveBeenCalled();
  });

  test('an upload that is interrupted', async () => {
    const sending = begin();
    sending.write(wholeForm.subarray(0, wholeForm.length / 2));
    await vi.waitFor(() => expect(folders()).toHaveLength(1), waitFor);
    sending.destroy();
  });

  test('a client that disconnects while its rows are written', async () => {
    const sending = begin();
    sending.end(wholeForm);
    // The folder of the upload, and that of the job.
    await vi.waitFor(() => expect(folders()).toHaveLength(2), waitFor);
    sending.destroy();
  });

  describe('with progress as NDJSON', () => {
    async function waitUntilWriting(sending: ClientRequest): Promise<IncomingMessage> {
      sending.end(wholeForm);
      const response = await new Promise<IncomingMessage>((resolve) => {
        sending.once('response', resolve);
      });
      await new Promise<void>((resolve, reject) => {
        response.on('data', (line: Buffer) => {
          if (String(line).includes('"progress"')) resolve();
          else reject(new Error(`The import has ended: ${String(line)}`));
        });
      });
      return response;
    }

    test('a client that disconnects while it receives progress', async () => {
      const sending = begin({ Accept: 'application/x-ndjson' });
      const response = await waitUntilWriting(sending);
      response.on('error', () => undefined);
      sending.destroy();
    });

    test('a process that is killed', async () => {
      const response = await waitUntilWriting(begin({ Accept: 'application/x-ndjson' }));
      for (const pid of jobProcesses()) process.kill(pid, 'SIGKILL');
      const progress: Buffer[] = [];
      for await (const chunk of response) progress.push(chunk as Buffer);
      const last = Buffer.concat(progress).toString().trimEnd().split('\n').at(-1) ?? '';
      expect(JSON.parse(last)).toMatchObject({ code: 'database_unavailable' });
    });
  });
});
