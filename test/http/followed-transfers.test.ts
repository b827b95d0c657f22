import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { expect, test, vi } from 'vitest';
import { createApp } from '../../src/http/app.ts';
import { StudioError } from '../../src/model/errors.ts';
import type { TransferState } from '../../src/http/transfer-state.ts';
import type { JobOptions, StartJob } from '../../src/studio/execution/start-job.ts';
import { fakeStudio } from './fake-studio.ts';

const name = 'followed-by-a-test';

/** A job whose output and end the test controls. */
function openJob() {
  const output = new PassThrough();
  const { promise: result, resolve, reject } = Promise.withResolvers<unknown>();
  const startOptions: JobOptions[] = [];
  const start: StartJob = async (_name, _input, options = {}) => {
    startOptions.push(options);
    options.signal?.addEventListener('abort', () => {
      output.destroy(new Error('killed'));
      reject(new Error('killed'));
    });
    return {
      head: Promise.resolve({ fileName: 'data.json', mediaType: 'application/json' }),
      output,
      result,
    };
  };
  return { output, startOptions, start, resolve, reject };
}

function serve(start: StartJob) {
  const app = createApp(fakeStudio({ start }));
  const ask = (path: string, method = 'GET'): Promise<Response> =>
    app.fetch(new Request(`http://localhost/studio/api${path}`, { method }));
  return {
    ask,
    state: async () => (await (await ask(`/transfers/${name}`)).json()) as TransferState,
  };
}

const followed = `/export/data?transfer=${name}`;

test('a followed download reports its progress, and that the client has received everything', async () => {
  const job = openJob();
  const { ask, state } = serve(job.start);
  const response = await ask(followed);
  expect(await state()).toEqual({ state: 'running', rows: 0, bytes: 0, sent_bytes: 0 });
  job.startOptions[0]?.onProgress?.({ rows: 2, bytes: 100, total_bytes: 0, table: 'users' });
  expect(await state()).toMatchObject({ rows: 2, bytes: 100, sent_bytes: 0, table: 'users' });
  job.output.end('[1,2,3]');
  job.resolve({ rows: 3 });
  expect(await response.text()).toBe('[1,2,3]');
  await vi.waitFor(async () =>
    expect(await state()).toMatchObject({ state: 'done', rows: 3, sent_bytes: 7 }),
  );
});

test('cancelling a download truncates the file and ends its job', async () => {
  const job = openJob();
  const { ask, state } = serve(job.start);
  const response = await ask(followed);
  job.output.write('[1,');
  const canceled = await ask(`/transfers/${name}`, 'DELETE');
  expect(await canceled.json()).toEqual({ message: 'cancelled' });
  await expect(response.text()).rejects.toThrow();
  expect(job.startOptions[0]?.signal?.aborted).toBe(true);
  await vi.waitFor(async () => expect(await state()).toMatchObject({ state: 'cancelled' }));
});

test('a download that waits in the spool can be canceled too', async () => {
  const job = openJob();
  const { ask } = serve(job.start);
  const response = await ask(followed);
  job.output.end('[1,2,3]');
  job.resolve({ rows: 3 });
  await ask(`/transfers/${name}`, 'DELETE');
  await expect(response.text()).rejects.toThrow();
});

test('a download that is canceled before it starts sends no file and is no internal error', async () => {
  const { ask, state } = serve(async (_name, _input, { signal } = {}) => {
    await once(signal as AbortSignal, 'abort');
    throw signal?.reason;
  });
  const response = ask(followed);
  await vi.waitFor(async () => expect(await state()).toMatchObject({ state: 'running' }));
  await ask(`/transfers/${name}`, 'DELETE');
  expect((await response).status).toBe(200);
  await expect((await response).text()).rejects.toThrow();
  expect(await state()).toMatchObject({ state: 'cancelled' });
});

test('a download that fails halfway reports why', async () => {
  const job = openJob();
  const { ask, state } = serve(job.start);
  const response = await ask(followed);
  job.output.write('[1,');
  const reason = new StudioError('database_unavailable', 'The server has gone.');
  job.reject(reason);
  job.output.destroy(reason);
  await expect(response.text()).rejects.toThrow();
  await vi.waitFor(async () =>
    expect(await state()).toMatchObject({ state: 'failed', error: 'The server has gone.' }),
  );
});

test('a client that disconnects cancels the download', async () => {
  const job = openJob();
  const { ask, state } = serve(job.start);
  const response = await ask(followed);
  await response.body?.cancel();
  job.resolve({ rows: 0 });
  await vi.waitFor(async () => expect(await state()).toMatchObject({ state: 'cancelled' }));
});

test('a rejected download is reported as failed', async () => {
  const { ask, state } = serve(async () => {
    throw new StudioError('table_not_found', 'There is no table "x".');
  });
  expect((await ask(followed)).status).toBe(404);
  expect(await state()).toMatchObject({ state: 'failed', error: 'There is no table "x".' });
});

test('an unknown name waits and cannot be canceled; a name that could be guessed is 400', async () => {
  const { ask, state } = serve(openJob().start);
  expect(await state()).toEqual({ state: 'waiting', rows: 0, bytes: 0, sent_bytes: 0 });
  expect((await ask('/transfers/never-heard-of', 'DELETE')).status).toBe(404);
  expect((await ask('/export/data?transfer=short')).status).toBe(400);
});
