/**
 * Running downloads of exports and their progress on the server. They live outside of the dialog,
 * so that they continue when it closes.
 */
import { createStore, useSelector } from '@tanstack/react-store';
import type { ResponseBodyOf } from '../../../src/contract/client/client.ts';
import { client } from '../api/client.ts';

type ExportProgress = ResponseBodyOf<'GET /transfers/:transfer'>;

export interface ExportRun {
  /** The transfer id on the server. */
  readonly id: string;
  readonly fileName: string;
  /** The expected number of rows, if known. */
  readonly total: number | undefined;
  /** What is missing from the file, one sentence each. */
  readonly warnings: readonly string[];
  readonly startedAt: number;
  /** The time since the start, or the total time of a finished export. */
  readonly durationMs: number;
  /** Undefined until the browser has requested the file. */
  readonly progress: ExportProgress | undefined;
}

const runs = createStore<readonly ExportRun[]>([]);

export function useExportRuns(): readonly ExportRun[] {
  return useSelector(runs);
}

function runOf(id: string): ExportRun | undefined {
  return runs.get().find((run) => run.id === id);
}

export function isRunning({ progress }: ExportRun): boolean {
  return progress === undefined || progress.state === 'running';
}

/** Starts to poll the progress of a download, before the browser requests it. */
export function trackExport(run: Pick<ExportRun, 'id' | 'fileName' | 'total' | 'warnings'>): void {
  const startedAt = performance.now();
  runs.setState((all) => [...all, { ...run, startedAt, durationMs: 0, progress: undefined }]);
  void follow(run.id);
}

export function cancelExport(id: string): void {
  client
    .call('DELETE /transfers/:transfer', { params: { transfer: id } })
    .catch(() => dismissExport(id));
}

export function dismissExport(id: string): void {
  runs.setState((all) => all.filter((run) => run.id !== id));
}

const pollIntervalMs = 250;
/** The browser may first ask the user where to save the file. */
const startTimeoutMs = 120_000;

async function follow(id: string): Promise<void> {
  for (let run = runOf(id); run !== undefined && isRunning(run); run = runOf(id)) {
    const { startedAt } = run;
    const progress = await fetchProgress(id);
    const durationMs = performance.now() - startedAt;
    if (progress === undefined && (run.progress !== undefined || durationMs > startTimeoutMs))
      return dismissExport(id);
    const changedRun = { ...run, durationMs, progress: progress ?? run.progress };
    runs.setState((all) => all.map((other) => (other.id === id ? changedRun : other)));
    await new Promise((resolve) => setTimeout(resolve, pollIntervalMs));
  }
}

/** Returns undefined while the server does not know the download. A failed poll returns the last known progress. */
async function fetchProgress(id: string): Promise<ExportProgress | undefined> {
  try {
    const { body } = await client.call('GET /transfers/:transfer', { params: { transfer: id } });
    return body.state === 'waiting' ? undefined : body;
  } catch {
    return runOf(id)?.progress;
  }
}
