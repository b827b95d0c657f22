/**
 * Running downloads of exports and their progress on the server. They live outside of the dialog,
 * so that they continue when it closes.
 */
import { createStore, useSelector } from '@tanstack/react-store';
import type { ResponseBodyOf } from '../../../src/contract/client/client.ts';
import { StudioError } from '../../../src/model/errors.ts';
import { client } from '../api/client.ts';
import { responseLimitMs } from '../api/use-unresponsive.ts';
import { exportProgressTexts as texts } from '../texts/export-progress.ts';

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
  /** The server has not responded to a request since the start. */
  readonly hasLostServer: boolean;
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

const unknown = { progress: undefined, hasLostServer: false };

/** Starts to poll the progress of a download, before the browser requests it. */
export function trackExport(run: Pick<ExportRun, 'id' | 'fileName' | 'total' | 'warnings'>): void {
  const startedAt = performance.now();
  runs.setState((all) => [...all, { ...run, startedAt, durationMs: 0, ...unknown }]);
  void follow(run.id);
}

export function cancelExport(id: string): void {
  client
    .call('DELETE /transfers/:transfer', {
      params: { transfer: id },
      signal: AbortSignal.timeout(responseLimitMs),
    })
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
    const durationMs = performance.now() - run.startedAt;
    const changedRun = await updatedRun({ ...run, durationMs });
    if (changedRun === undefined) return dismissExport(id);
    runs.setState((all) => all.map((other) => (other.id === id ? changedRun : other)));
    await new Promise((resolve) => setTimeout(resolve, pollIntervalMs));
  }
}

/** Returns undefined if the server does not know the download, and it is not about to start. */
async function updatedRun(run: ExportRun): Promise<ExportRun | undefined> {
  const { id, progress, durationMs, hasLostServer } = run;
  try {
    const { body } = await client.call('GET /transfers/:transfer', {
      params: { transfer: id },
      signal: AbortSignal.timeout(responseLimitMs),
    });
    if (body.state !== 'waiting') return { ...run, progress: body };
    if (progress === undefined) return durationMs > startTimeoutMs ? undefined : run;
    return hasLostServer
      ? { ...run, progress: { ...progress, state: 'failed', error: texts.lost } }
      : undefined;
  } catch (error) {
    return { ...run, hasLostServer: hasLostServer || !(error instanceof StudioError) };
  }
}
