/** Runs work one at a time, in order of the calls. */
export interface Mutex {
  runExclusive<T>(work: () => Promise<T> | T): Promise<T>;
}

export function createMutex(): Mutex {
  let last: Promise<unknown> = Promise.resolve();
  return {
    runExclusive: (work) => {
      const result = last.then(work);
      last = result.catch(() => {});
      return result;
    },
  };
}
