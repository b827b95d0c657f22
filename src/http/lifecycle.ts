/** Whether an app takes requests of new clients. */
export interface Lifecycle {
  /** From now on, `/health` is not ready and each response closes its connection. */
  drain(): void;
  isDraining(): boolean;
  /** Tracks work that goes on when its client disconnects. */
  track<T>(work: Promise<T>): Promise<T>;
  /** Resolves when no tracked work runs. */
  settled(): Promise<void>;
}

export function createLifecycle(): Lifecycle {
  let draining = false;
  const running = new Set<Promise<unknown>>();
  return {
    drain: () => void (draining = true),
    isDraining: () => draining,
    track: (work) => {
      running.add(work);
      const remove = (): void => void running.delete(work);
      work.then(remove, remove);
      return work;
    },
    settled: async () => {
      while (running.size > 0) await Promise.allSettled(running);
    },
  };
}
