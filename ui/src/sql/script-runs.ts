/** The last run of each tab of the SQL page. It lives outside of the page, so that results survive a change of page. */
import { useSelector } from '@tanstack/react-store';
import { StudioError } from '../../../src/model/errors.ts';
import { keyedStores } from '../parts/keyed-stores.ts';
import { runStatement } from './run-statement.ts';
import type { Run, SqlResponse } from './run-statement.ts';
import { sqlTexts as texts } from '../texts/sql.ts';

/** A statement to run, and where it is in the editor. */
export interface PreparedStatement extends Run {
  /** Where the statement begins in the text of the editor, in UTF-16 units. */
  readonly from: number;
  /** The number of characters that were added in front of the statement, such as EXPLAIN. */
  readonly added: number;
}

export interface StatementRun extends PreparedStatement {
  readonly state: 'waiting' | 'running' | 'done' | 'failed' | 'skipped';
  readonly response?: SqlResponse;
  readonly error?: unknown;
}

export interface ScriptRun {
  readonly statements: readonly StatementRun[];
  /** The index of the statement whose result is shown. */
  readonly shown: number;
  /** Someone has selected the shown result, so the run does not replace it by those of later statements. */
  readonly isSelected: boolean;
  readonly stop: AbortController | undefined;
}

const runs = keyedStores<ScriptRun>(() => ({
  statements: [],
  shown: 0,
  isSelected: false,
  stop: undefined,
}));

export function useScriptRun(tab: string): ScriptRun {
  return useSelector(runs(tab));
}

/** Shows the result that someone has selected. */
export function selectStatement(tab: string, statementIndex: number): void {
  runs(tab).setState((run) => ({ ...run, shown: statementIndex, isSelected: true }));
}

export function cancelScript(tab: string): void {
  runs(tab).get().stop?.abort();
}

interface RunOptions {
  readonly stopsAtError: boolean;
}

/** Runs statements one after another; each is a transaction of its own. */
export async function runScript(
  tab: string,
  prepared: readonly PreparedStatement[],
  { stopsAtError }: RunOptions,
): Promise<void> {
  const store = runs(tab);
  if (store.get().stop !== undefined || prepared.length === 0) return;
  const stop = new AbortController();
  const change = (at: number, changes: Partial<StatementRun>): void =>
    store.setState((run) => ({
      ...run,
      statements: run.statements.map((each, i) => (i === at ? { ...each, ...changes } : each)),
    }));
  const waiting = prepared.map((each) => ({ ...each, state: 'waiting' }) as const);
  const show = (at: number): void =>
    store.setState((run) => (run.isSelected ? run : { ...run, shown: at }));
  store.setState(() => ({ statements: waiting, shown: 0, isSelected: false, stop }));
  let hasEnded = false;
  for (const [at, each] of prepared.entries()) {
    if (hasEnded) {
      change(at, { state: 'skipped' });
      continue;
    }
    change(at, { state: 'running' });
    show(at);
    try {
      change(at, { state: 'done', response: await runStatement(each, stop.signal) });
    } catch (error) {
      const { aborted } = stop.signal;
      change(at, { state: 'failed', error: aborted ? new Error(texts.canceled) : error });
      hasEnded = aborted || stopsAtError;
    }
  }
  const failedIndex = store.get().statements.findIndex(({ state }) => state === 'failed');
  if (failedIndex >= 0) show(failedIndex);
  store.setState((run) => ({ ...run, stop: undefined }));
}

/** The offset in the editor's text of what the database rejected. Undefined if it named no position. */
export function errorOffset({ error, statement, query, from, added }: StatementRun) {
  if (!(error instanceof StudioError) || query !== statement) return undefined;
  const { line, column } = error.details as { readonly line?: unknown; readonly column?: unknown };
  if (typeof line !== 'number' || typeof column !== 'number') return undefined;
  const lines = query.split(/(?<=\r\n|\r(?!\n)|\n)/);
  const before = lines.slice(0, line - 1).reduce((sum, { length }) => sum + length, 0);
  return Math.max(from, from + before + column - 1 - added);
}
