/** Whether an app takes requests of new clients. */
export interface Lifecycle {
  /** From now on, `/health` is not ready and each response closes its connection. */
  drain(): void;
  isDraining(): boolean;
}

export function createLifecycle(): Lifecycle {
  let draining = false;
  return {
    drain: () => void (draining = true),
    isDraining: () => draining,
  };
}
