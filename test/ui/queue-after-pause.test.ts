/** Moves of tables by arrow keys are sent to the server together, and one request after the other. */
import { afterEach, expect, test, vi } from 'vitest';
import { queueAfterPause } from '../../ui/src/diagram/queue-after-pause.ts';

afterEach(() => {
  vi.useRealTimers();
});

test('many calls with one key run one task after the pause', async () => {
  vi.useFakeTimers();
  const queue = queueAfterPause(400);
  const task = vi.fn(() => Promise.resolve());
  const other = vi.fn(() => Promise.resolve());
  for (let i = 0; i < 30; i++) {
    queue('all', task);
    await vi.advanceTimersByTimeAsync(100);
  }
  queue('keys', other);
  expect(task).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1000);
  expect(task).toHaveBeenCalledOnce();
  expect(other).toHaveBeenCalledOnce();
});

test('a task waits for the one before it', async () => {
  vi.useFakeTimers();
  const queue = queueAfterPause(400);
  const first = Promise.withResolvers<void>();
  const second = vi.fn(() => Promise.resolve());
  queue('all', () => first.promise);
  await vi.advanceTimersByTimeAsync(500);
  queue('all', second);
  await vi.advanceTimersByTimeAsync(500);
  expect(second).not.toHaveBeenCalled();
  first.resolve();
  await vi.advanceTimersByTimeAsync(0);
  expect(second).toHaveBeenCalledOnce();
});
