import { useRef, useState } from 'react';
import { runStatement } from './run-statement.ts';
import type { Run, SqlAnswer } from './run-statement.ts';

export interface Runner {
  readonly isRunning: boolean;
  /** The last statement that was run. */
  readonly statement: string;
  readonly answer: SqlAnswer | undefined;
  readonly error: unknown;
  readonly run: (run: Run) => void;
  readonly cancel: () => void;
}

/** Runs one statement at a time. The result of the previous one stays visible until the next one arrives. */
export function useRunner(): Runner {
  const [answer, setAnswer] = useState<SqlAnswer>();
  const [error, setError] = useState<unknown>();
  const [statement, setStatement] = useState('');
  const [isRunning, setRunning] = useState(false);
  const stop = useRef<AbortController>(undefined);
  const perform = async (next: Run, controller: AbortController): Promise<void> => {
    try {
      setAnswer(await runStatement(next, controller.signal));
      setError(undefined);
    } catch (failure) {
      setError(controller.signal.aborted ? new Error('Canceled.') : failure);
    }
    setRunning(false);
  };
  const run = (next: Run): void => {
    if (isRunning || next.statement.trim() === '') return;
    stop.current = new AbortController();
    setRunning(true);
    setStatement(next.statement);
    void perform(next, stop.current);
  };
  return { isRunning, statement, answer, error, run, cancel: () => stop.current?.abort() };
}
