/** Children and their pipes do not keep this process alive; waiting for one of them does. */
export interface EventLoopHold {
  release(): void;
}

const FOREVER_MS = 2 ** 31 - 1;

export function holdEventLoop(): EventLoopHold {
  const timer = setInterval(() => undefined, FOREVER_MS);
  return { release: () => clearInterval(timer) };
}
