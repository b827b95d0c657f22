/** Measures how long the statements of a request ran. Statements that run at the same time count once. */
export interface StatementTimer {
  /** Called when a statement begins. The returned function is called when it has ended. */
  begin(): () => void;
  /** In milliseconds. Undefined if no statement has begun. */
  elapsedMs(): number | undefined;
}

export function createStatementTimer(): StatementTimer {
  let running = 0;
  let runningSince = 0;
  let elapsed: number | undefined;
  return {
    begin: () => {
      elapsed ??= 0;
      if (running === 0) runningSince = performance.now();
      running += 1;
      return () => {
        running -= 1;
        if (running === 0) elapsed = (elapsed ?? 0) + performance.now() - runningSince;
      };
    },
    elapsedMs: () => (running === 0 ? elapsed : (elapsed ?? 0) + performance.now() - runningSince),
  };
}
