import type { EventEmitter } from 'node:events';

/** Resolves at the first of these events, and removes its listeners. */
export function untilEvent(
  emitter: Pick<EventEmitter, 'once' | 'off'>,
  events: readonly string[],
): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      for (const event of events) emitter.off(event, done);
      resolve();
    };
    for (const event of events) emitter.once(event, done);
  });
}
