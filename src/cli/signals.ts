/** How the server ends: the first signal asks it to finish, the second ends it at once. */
import { constants } from 'node:os';

const signals = ['SIGINT', 'SIGTERM'] as const;

/**
 * npm and the command's own wrapper pass a Ctrl-C on to a process that had it from the terminal
 * already. What comes this soon after the first signal is that same one.
 */
const echoMs = 500;

/** Resolves when the first signal has come. */
export function untilSignalled(): Promise<void> {
  return new Promise((resolve) => {
    let firstAt: number | undefined;
    const onSignal = (signal: (typeof signals)[number]): void => {
      const now = performance.now();
      if (firstAt === undefined) resolve();
      else if (now - firstAt > echoMs) process.exit(128 + constants.signals[signal]);
      firstAt ??= now;
    };
    for (const signal of signals) process.on(signal, onSignal);
  });
}
