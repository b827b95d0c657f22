import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { runCancelable } from '../../src/databases/cancel-statement.ts';

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => vi.useRealTimers());

/** A statement that fails when it is canceled or its connection destroyed. */
function startStatement(obeys: { readonly cancel: boolean }) {
  const { promise, reject, resolve } = Promise.withResolvers<string>();
  const log: string[] = [];
  const target = {
    cancel: async (): Promise<void> => {
      log.push('cancel');
      if (obeys.cancel) reject(new Error('cancelled'));
    },
    destroy: (): void => {
      log.push('destroy');
      reject(new Error('destroyed'));
    },
  };
  return { target, log, resolve, statement: () => promise };
}

test('a statement that ends in time is not canceled', async () => {
  const { target, log, resolve, statement } = startStatement({ cancel: true });
  const result = runCancelable(
    target,
    { limitMs: 1000, signal: new AbortController().signal },
    statement,
  );
  resolve('done');
  expect(await result).toBe('done');
  await vi.advanceTimersByTimeAsync(10_000);
  expect(log).toEqual([]);
});

test('the time limit cancels it', async () => {
  const { target, log, statement } = startStatement({ cancel: true });
  const failed = expect(runCancelable(target, { limitMs: 1500 }, statement)).rejects.toMatchObject({
    code: 'statement_timeout',
    message: expect.stringContaining('1.5 s'),
  });
  await vi.advanceTimersByTimeAsync(1500);
  await failed;
  expect(log).toEqual(['cancel']);
});

test('the signal cancels it once, and its error is the reason of the signal', async () => {
  const { target, log, statement } = startStatement({ cancel: true });
  const controller = new AbortController();
  const failed = expect(
    runCancelable(target, { signal: controller.signal, limitMs: 1 }, statement),
  ).rejects.toBe('gone');
  controller.abort('gone');
  await failed;
  await vi.advanceTimersByTimeAsync(10_000);
  expect(log).toEqual(['cancel']);
});

test('if it ignores the cancellation, its connection is closed', async () => {
  const { target, log, statement } = startStatement({ cancel: false });
  const failed = expect(runCancelable(target, { limitMs: 100 }, statement)).rejects.toMatchObject({
    code: 'statement_timeout',
  });
  await vi.advanceTimersByTimeAsync(5100);
  await failed;
  expect(log).toEqual(['cancel', 'destroy']);
});

test('its connection is also closed if the cancellation gets no response, even after it has ended', async () => {
  const { target, log, resolve, statement } = startStatement({ cancel: false });
  const stuck = { ...target, cancel: () => new Promise<void>(() => {}) };
  const result = runCancelable(stuck, { limitMs: 100 }, statement);
  await vi.advanceTimersByTimeAsync(200);
  resolve('done');
  await vi.advanceTimersByTimeAsync(5000);
  expect(await result).toBe('done');
  expect(log).toEqual(['destroy']);
});

test('it does not start if its caller has already disconnected', async () => {
  const { target, statement } = startStatement({ cancel: true });
  const begin = vi.fn<typeof statement>(statement);
  await expect(runCancelable(target, { signal: AbortSignal.abort('gone') }, begin)).rejects.toBe(
    'gone',
  );
  expect(begin).not.toHaveBeenCalled();
});
