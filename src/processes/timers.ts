/** The longest that setTimeout can wait, 24 days; beyond it, it would fire at once. */
const LONGEST_MS = 2 ** 31 - 1;

export function startTimer(action: () => void, ms: number): NodeJS.Timeout {
  return setTimeout(action, Math.min(ms, LONGEST_MS));
}

export interface EventLoopHold {
  readonly release: () => void;
}

/** Children and their pipes do not keep this process alive; waiting for one of them does. */
export function holdEventLoop(): EventLoopHold {
  const timer = setInterval(() => undefined, LONGEST_MS);
  return { release: () => clearInterval(timer) };
}
