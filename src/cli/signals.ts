/** Signal handling: the first signal starts a graceful shutdown, the second exits immediately. */
import { constants } from 'node:os';

const signals = ['SIGINT', 'SIGTERM'] as const;

/**
 * npm and the command's own wrapper forward a Ctrl-C to a process that has already received it from the
 * terminal. A signal within this time after the first is such a duplicate.
 */
const duplicateMs = 500;

/** Resolves on the first signal. */
export function untilSignalled(): Promise<void> {
  return new Promise((resolve) => {
    let firstAt: number | undefined;
    const onSignal = (signal: (typeof signals)[number]): void => {
      const now = performance.now();
      if (firstAt === undefined) resolve();
      else if (now - firstAt > duplicateMs) process.exit(128 + constants.signals[signal]);
      firstAt ??= now;
    };
    for (const signal of signals) process.on(signal, onSignal);
  });
}
