/** Work done one after the other, in order of arrival. */
export interface Turns {
  take<T>(work: () => Promise<T> | T): Promise<T>;
}

export function createTurns(): Turns {
  let last: Promise<unknown> = Promise.resolve();
  return {
    take: (work) => {
      const turn = last.then(work);
      last = turn.catch(() => {});
      return turn;
    },
  };
}
