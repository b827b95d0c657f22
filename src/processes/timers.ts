/** The maximum delay of setTimeout, 24 days. Longer delays would fire immediately. */
const LONGEST_MS = 2 ** 31 - 1;

export function startTimer(action: () => void, ms: number): NodeJS.Timeout {
  return setTimeout(action, Math.max(0, Math.min(ms, LONGEST_MS)));
}

export interface EventLoopHold {
  readonly release: () => void;
}

/** Keeps the event loop alive while waiting for a child: child processes and their pipes are unref'd. */
export function holdEventLoop(): EventLoopHold {
  const timer = setInterval(() => undefined, LONGEST_MS);
  return { release: () => clearInterval(timer) };
}
