import { existsSync, readFileSync, readdirSync, readlinkSync } from 'node:fs';
import { dirname } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';

import { StudioError } from '../../src/model/errors.ts';
import { fakeStudio } from './fake-studio.ts';
import { askApi, failureOf } from './requests.ts';
import type { Upload } from '../../src/studio/core/job.ts';
import type { StartJob } from '../../src/studio/execution/start-job.ts';

const fileHead = { fileName: 'data.json', mediaType: 'application/json' };

function fileJob(output: Readable, report: object = {}): StartJob {
  return async () => ({
    head: Promise.resolve({ ...fileHead, ...report }),
    output,
    result: Promise.resolve({}),
  });
}

function formOf(
  ...files: readonly (readonly [field: string, name: string, text: string])[]
): FormData {
  const data = new FormData();
  for (const [field, name, text] of files) data.append(field, new File([text], name));
  return data;
}

async function* truncatedStream(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
  await new Promise((resolve) => setTimeout(resolve, 50));
  throw new Error('The client has gone.');
}

function isUpload(descriptor: string): boolean {
  try {
    return readlinkSync(descriptor).includes('database-studio-');
  } catch {
    return false;
  }
}

interface ReceivedUpload {
  readonly name: string;
  readonly input: { readonly upload: Upload };
  readonly texts: readonly string[];
}

/** A job that records what it receives, while the files exist. */
function recordingJob(uploads: ReceivedUpload[]): StartJob {
  return async (name, jobInput) => {
    const input = jobInput as ReceivedUpload['input'];
    const texts = input.upload.files.map(({ path }) => readFileSync(path, 'utf8'));
    uploads.push({ name, input, texts });
    const result = Promise.resolve({ message: 'imported' });
    return { head: new Promise(() => {}), output: Readable.from([]), result };
  };
}

function post(path: string, body: FormData | string, { start, headers = {} }: PostOptions) {
  return askApi(path, {
    studio: fakeStudio({ start }),
    init: { method: 'POST', body, headers: { ...headers } },
  });
}

interface PostOptions {
  readonly start: StartJob;
  readonly headers?: Readonly<Record<string, string>>;
}

describe('a download', () => {
  test('has its name, type and bytes', async () => {
    const start = fileJob(Readable.from([Buffer.from('{"a":'), Buffer.from('[]}')]));
    const { response } = await askApi('/export/data', { studio: fakeStudio({ start }) });
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(response.headers.get('content-disposition')).toBe('attachment; filename="data.json"');
    expect(response.headers.get('studio-consistency')).toBeNull();
    expect(await response.text()).toBe('{"a":[]}');
  });

  test('has warnings in its headers', async () => {
    const warnings = ['Views were left out: “a”, b.'];
    const start = fileJob(Readable.from([]), { consistent: false, warnings });
    const { response } = await askApi('/export/data', { studio: fakeStudio({ start }) });
    expect(response.headers.get('studio-consistency')).toBe('none');
    const text = decodeURIComponent(response.headers.get('studio-warnings') ?? '');
    expect(JSON.parse(text)).toEqual(warnings);
  });

  test('is truncated if the job fails halfway', async () => {
    const output = new PassThrough();
    output.write('{"a":');
    const { response } = await askApi('/export/data', {
      studio: fakeStudio({ start: fileJob(output) }),
    });
    output.destroy(new StudioError('database_unavailable', 'gone'));
    await expect(response.text()).rejects.toThrow('gone');
  });

  test('does not start a job for HEAD', async () => {
    const output = new PassThrough();
    const { response } = await askApi('/export/data', {
      studio: fakeStudio({ start: fileJob(output) }),
      init: { method: 'HEAD' },
    });
    expect([response.status, await response.text(), output.destroyed]).toEqual([200, '', true]);
  });

  test('that cannot start is an ordinary error response', async () => {
    const start: StartJob = () =>
      Promise.reject(new StudioError('table_not_found', 'No such table.'));
    const { response } = await askApi('/export/data', { studio: fakeStudio({ start }) });
    expect(await failureOf(response)).toMatchObject({ status: 404, code: 'table_not_found' });
  });
});

describe('uploads', () => {
  test.each([
    ['models.go', 'models.go', undefined],
    ['app/models/user.go', 'user.go', 'app/models'],
    ['./app/../models//user.go', 'user.go', 'app/models'],
    ['/etc/models.go', 'models.go', 'etc'],
    [String.raw`C:\app\models.go`, 'models.go', 'app'],
  ])('keep the folder of %s', async (sentPath, name, folder) => {
    const uploads: ReceivedUpload[] = [];
    const body = formOf(['file', sentPath, 'package m']);
    await askApi('/import/models', {
      studio: fakeStudio({ start: recordingJob(uploads) }),
      init: { method: 'POST', body },
    });
    const [file] = uploads[0]?.input.upload.files ?? [];
    expect([file?.name, file?.folder]).toEqual([name, folder]);
  });

  test.skipIf(process.platform !== 'linux')(
    'leave no file open if they are truncated',
    async () => {
      const openFiles = (): number =>
        readdirSync('/proc/self/fd').filter((name) => isUpload(`/proc/self/fd/${name}`)).length;
      const unfinishedForm =
        '--b\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\nid';
      const headers = { 'Content-Type': 'multipart/form-data; boundary=b' };
      for (let i = 0; i < 3; i++) {
        const body = ReadableStream.from(truncatedStream(unfinishedForm));
        await askApi('/import/data', {
          studio: fakeStudio({ start: recordingJob([]) }),
          init: { method: 'POST', body, headers, duplex: 'half' },
        });
      }
      expect(openFiles()).toBe(0);
    },
  );

  test('are on disk while the job runs', async () => {
    const uploads: ReceivedUpload[] = [];
    const data = formOf(['file', 'a b.csv', 'id\n1\n'], ['file', 'c.csv', '']);
    data.append('table', 'users');
    const { response } = await post('/import/data?on_error=skip', data, {
      start: recordingJob(uploads),
    });
    expect(await response.json()).toEqual({ message: 'imported' });
    const [job] = uploads;
    expect(job?.name).toBe('import-data');
    expect(job?.texts).toEqual(['id\n1\n', '']);
    expect(job?.input).toMatchObject({
      on_error: 'skip',
      upload: {
        files: [
          { name: 'a b.csv', bytes: 5 },
          { name: 'c.csv', bytes: 0 },
        ],
      },
    });
    expect(job?.input.upload.fields['table']).toBe('users');
    expect(existsSync(dirname(job?.input.upload.files[0]?.path ?? ''))).toBe(false);
  });

  test.for([
    ['no form', 'x', { 'Content-Type': 'text/csv' }, 415, 'unsupported_media_type'],
    ['no boundary', 'x', { 'Content-Type': 'multipart/form-data; x=y' }, 400, 'invalid_body'],
    [
      'a form cut off',
      '--b\r\nContent-',
      { 'Content-Type': 'multipart/form-data; boundary=b' },
      400,
      'invalid_body',
    ],
    ['no file', formOf(['other', 'a.csv', 'x']), {}, 400, 'invalid_body'],
    [
      'a file that is too large',
      formOf(['file', 'a.csv', 'x'.repeat(1_000_001)]),
      {},
      413,
      'too_large',
    ],
  ] as const)('%s', async ([, body, headers, status, code]) => {
    const uploads: ReceivedUpload[] = [];
    const { response } = await post('/import/data', body, {
      start: recordingJob(uploads),
      headers,
    });
    expect(await failureOf(response)).toMatchObject({ status, code });
    expect(uploads).toEqual([]);
  });

  const acceptNdjson = { Accept: 'application/x-ndjson' };
  const progress = { bytes: 5, total_bytes: 10, rows: 1, table: 'users' };

  test('report their progress line by line on request', async () => {
    const start: StartJob = async (_name, _input, options) => {
      options?.onProgress?.(progress);
      return {
        head: new Promise(() => {}),
        output: Readable.from([]),
        result: Promise.resolve({ rows_imported: 2 }),
      };
    };
    const { response } = await post('/import/data', formOf(['file', 'a.csv', 'x']), {
      start,
      headers: acceptNdjson,
    });
    expect(response.headers.get('content-type')).toBe('application/x-ndjson');
    const responseLines = (await response.text()).trimEnd().split('\n');
    expect(responseLines.map((line) => JSON.parse(line) as unknown)).toEqual([
      { progress },
      { result: { rows_imported: 2 } },
    ]);
  });

  test('that fail say so in the last line', async () => {
    const start: StartJob = () =>
      Promise.reject(new StudioError('import_failed', 'Row 3 is bad.', { errors: [{ row: 3 }] }));
    const { response } = await post('/import/data', formOf(['file', 'a.csv', 'x']), {
      start,
      headers: acceptNdjson,
    });
    expect(JSON.parse(await response.text())).toEqual({
      error: 'Row 3 is bad.',
      code: 'import_failed',
      errors: [{ row: 3 }],
    });
  });

  test('are rejected by a read-only studio before their body is read', async () => {
    const studio = fakeStudio({ config: { readOnly: true } });
    const { response } = await askApi('/import/data', {
      studio,
      init: { method: 'POST', body: 'x' },
    });
    expect(await failureOf(response)).toMatchObject({ status: 403, code: 'read_only' });
  });
});
