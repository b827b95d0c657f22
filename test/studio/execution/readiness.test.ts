import { expect, onTestFinished, test, vi } from 'vitest';
import { createReadiness } from '../../../src/studio/execution/readiness.ts';
import type { Reply } from '../../../src/studio/core/reply.ts';

test('a database that does not respond is not ready after two seconds, and is asked once', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const asked: PromiseWithResolvers<Reply>[] = [];
  const ready = createReadiness(() => {
    const reply = Promise.withResolvers<Reply>();
    asked.push(reply);
    return reply.promise;
  });
  const results: boolean[] = [];
  const probe = (): void => void ready().then((isReady) => results.push(isReady));
  probe();
  await vi.advanceTimersByTimeAsync(1000);
  probe();
  await vi.advanceTimersByTimeAsync(999);
  expect(results).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(results).toEqual([false]);
  await vi.advanceTimersByTimeAsync(1000);
  expect(results).toEqual([false, false]);
  probe();
  expect(asked).toHaveLength(1);
  asked[0]?.resolve({ body: 'null', meta: {} });
  await vi.advanceTimersByTimeAsync(0);
  expect(results).toEqual([false, false, true]);
  probe();
  expect(asked).toHaveLength(2);
  asked[1]?.reject(new Error('The connection is closed.'));
  await vi.advanceTimersByTimeAsync(0);
  expect(results).toEqual([false, false, true, false]);
  expect(vi.getTimerCount()).toBe(0);
});
