/** A request with an Idempotency-Key is carried out once, however often and when it is repeated. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createApp } from '../../src/http/app.ts';
import { createIdempotency } from '../../src/http/idempotency.ts';
import { createStudio } from '../../src/studio/studio.ts';
import { StudioError } from '../../src/model/errors.ts';
import type { ErrorCode, WriteOutcome } from '../../src/model/errors.ts';

const step = fc.record({
  key: fc.constantFrom('a', 'b', 'c', 'd'),
  waitsMs: fc.nat(400),
});

test('no request is carried out twice, also when old keys are forgotten', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
      let now = 1_000_000;
      // For all keys, but not for all outcomes.
      const memory = { maxBytes: 2060, retentionMs: 500, now: () => now };
      const { run } = createIdempotency<string>(memory);
      // Keys are sent after the studio has started.
      now += 5000;
      const carriedOut = new Map<string, number>();
      const sentAt = new Map<string, number>();
      for (const { key, waitsMs } of steps) {
        now += waitsMs;
        const first = sentAt.get(key);
        if (first === undefined) sentAt.set(key, now);
        const ageMs = first === undefined ? undefined : Math.floor((now - first) / 1000) * 1000;
        const outcome = await run({ key, ageMs }, key, async () => {
          carriedOut.set(key, (carriedOut.get(key) ?? 0) + 1);
          return `outcome of ${key}`;
        }).catch((error: unknown) => error);
        if (outcome instanceof StudioError) expect(outcome.code).toBe('outcome_unknown');
        else expect(outcome).toBe(`outcome of ${key}`);
        expect(carriedOut.get(key)).toBe(1);
      }
    }),
  );
});

const sendOnce = (key: string) => ({ key, ageMs: undefined });

test('requests are remembered for the whole retention, however many follow', async () => {
  let now = 0;
  const memory = { maxBytes: 64 * 1024 ** 2, retentionMs: 600_000, now: () => now };
  const { run } = createIdempotency<string>(memory);
  const carriedOut: string[] = [];
  const send = (key: string): Promise<string> =>
    run(sendOnce(key), key, async () => {
      carriedOut.push(key);
      return key;
    });
  const keys = Array.from({ length: 5000 }, (_, i) => `key-${i}`);
  for (const key of keys) await send(key);
  now += 599_000;
  for (const key of keys) expect(await send(key)).toBe(key);
  expect(carriedOut).toEqual(keys);
});

test('a request that is running is remembered beyond the retention and after others', async () => {
  let now = 0;
  const { run } = createIdempotency<string>({ maxBytes: 1500, retentionMs: 500, now: () => now });
  const { promise, resolve } = Promise.withResolvers<string>();
  const first = run(sendOnce('slow'), 'slow', () => promise);
  for (const key of ['a', 'b', 'c', 'd']) {
    now += 1000;
    await run(sendOnce(key), key, async () => key);
  }
  const again = run(sendOnce('slow'), 'slow', async () => 'carried out twice');
  resolve('done');
  expect(await Promise.all([first, again])).toEqual(['done', 'done']);
  now += 499;
  expect(await run(sendOnce('slow'), 'slow', async () => 'carried out twice')).toBe('done');
});

test('without memory, responses are dropped before requests are refused', async () => {
  let now = 0;
  const { run } = createIdempotency<string>({ maxBytes: 1100, retentionMs: 500, now: () => now });
  const send = (key: string): Promise<string> =>
    run(sendOnce(key), key, async () => `${key} ${'x'.repeat(100)}`);
  await send('a');
  expect(await send('b')).toMatch(/^b /);
  await expect(send('c')).rejects.toMatchObject({
    code: 'state_unavailable',
    message: expect.stringMatching(/; nothing was written\.$/),
    details: { outcome: 'nothing_written' },
  });
  await expect(send('a')).rejects.toMatchObject({
    code: 'outcome_unknown',
    message: expect.stringContaining('has handled this request before'),
  });
  now += 500;
  expect(await send('c')).toMatch(/^c /);
});

test('an error that changed nothing and may pass is not remembered, nor one that leaves that open', async () => {
  const { run } = createIdempotency<string>();
  const key = { key: 'a', ageMs: undefined };
  const again = { key: 'a', ageMs: 0 };
  const failWith = async (code: ErrorCode, outcome: WriteOutcome | undefined): Promise<string> => {
    throw new StudioError(code, 'It failed.', outcome === undefined ? {} : { outcome });
  };
  const fail = async (code: ErrorCode, outcome?: WriteOutcome): Promise<unknown> =>
    run(key, 'content', async () => failWith(code, outcome)).catch((error: unknown) => error);
  await fail('database_busy');
  await fail('database_unavailable', 'nothing_written');
  await fail('statement_timeout', 'nothing_written');
  await fail('write_conflict');
  await fail('too_many_requests');
  expect(await fail('database_unavailable', 'unknown')).toMatchObject({
    code: 'database_unavailable',
  });
  // The last error is not certain, so the write is not repeated.
  await expect(run(again, 'content', async () => 'written')).rejects.toMatchObject({
    code: 'outcome_unknown',
  });
});

test('requests that are repeated insert one row, also while the first is running', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'studio-idempotency-'));
  const file = join(folder, 'rows.db');
  const database = new BetterSqlite3(file);
  database.exec('CREATE TABLE things (id INTEGER PRIMARY KEY, name TEXT)');
  const studio = await createStudio({ url: file });
  const app = createApp(studio);
  const send = async (path: string, key: string, body: unknown): Promise<Response> =>
    app.fetch(
      new Request(`http://localhost/studio/api/tables/things/${path}`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'Idempotency-Key': key },
        body: JSON.stringify(body),
      }),
    );
  try {
    const create = { create: [{ name: 'once' }] };
    const responses = await Promise.all(
      ['', ';age=0', ''].map((age) => send('changes', `"one"${age}`, create)),
    );
    const texts = await Promise.all(responses.map(async (response) => response.text()));
    expect(new Set(texts).size).toBe(1);
    expect(await (await send('changes', '"one";age=1', create)).text()).toBe(texts[0]);
    expect((await send('rows', '"two"', { name: 'row' })).status).toBe(201);
    expect((await send('rows', '"two"', { name: 'row' })).status).toBe(201);
    expect((await send('changes', '"one"', { create: [{ name: 'other' }] })).status).toBe(400);
    expect((await send('changes', 'not a key', create)).status).toBe(400);
    expect((await send('changes', '"old";age=9999', create)).status).toBe(409);
    expect(database.prepare('SELECT name FROM things ORDER BY id').pluck().all()).toEqual([
      'once',
      'row',
    ]);
  } finally {
    await studio.close();
    database.close();
    rmSync(folder, { recursive: true, force: true });
  }
});
