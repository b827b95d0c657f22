/**
 * Returns a function that runs a task once it has not been called with the same key for `pauseMs`. Tasks run one after
 * the other. They must not reject.
 */
export function queueAfterPause(pauseMs: number): (key: string, task: () => Promise<void>) => void {
  const timers = new Map<string, ReturnType<typeof setTimeout>>();
  let last = Promise.resolve();
  return (key, task) => {
    clearTimeout(timers.get(key));
    const run = (): void => {
      timers.delete(key);
      last = last.then(task);
    };
    timers.set(key, setTimeout(run, pauseMs));
  };
}
