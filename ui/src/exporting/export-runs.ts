/**
 * Exports that the browser saves, and how far the server is with them. They are beside the dialog,
 * so that they go on when it is closed.
 */
import type { ResponseBodyOf } from '../../../src/contract/client.ts';
import { client } from '../api/client.ts';
import { createStore } from '../parts/create-store.ts';

type ExportProgress = ResponseBodyOf<'GET /transfers/:transfer'>;

export interface ExportRun {
  /** What the server calls it. */
  readonly id: string;
  readonly fileName: string;
  /** How many rows it will have, where that is known. */
  readonly total: number | undefined;
  /** What the file lacks, a sentence each. */
  readonly warnings: readonly string[];
  readonly startedAt: number;
  /** How long it has been going on, or took. */
  readonly durationMs: number;
  /** Undefined until the browser has asked for the file. */
  readonly progress: ExportProgress | undefined;
}

const runs = createStore<readonly ExportRun[]>([]);

export const useExportRuns = runs.use;

function runOf(id: string): ExportRun | undefined {
  return runs.get().find((run) => run.id === id);
}

export function isRunning({ progress }: ExportRun): boolean {
  return progress === undefined || progress.state === 'running';
}

/** Follows a download from before the browser asks for it. */
export function followExport(run: Pick<ExportRun, 'id' | 'fileName' | 'total' | 'warnings'>): void {
  const startedAt = performance.now();
  runs.set([...runs.get(), { ...run, startedAt, durationMs: 0, progress: undefined }]);
  void follow(run.id);
}

export function cancelExport(id: string): void {
  client
    .call('DELETE /transfers/:transfer', { params: { transfer: id } })
    .catch(() => dismissExport(id));
}

export function dismissExport(id: string): void {
  runs.set(runs.get().filter((run) => run.id !== id));
}

const askEveryMs = 250;
/** A browser may first ask where the file is to go. */
const patienceMs = 120_000;

async function follow(id: string): Promise<void> {
  for (let run = runOf(id); run !== undefined && isRunning(run); run = runOf(id)) {
    const { startedAt } = run;
    const progress = await askProgress(id);
    const durationMs = performance.now() - startedAt;
    if (progress === undefined && (run.progress !== undefined || durationMs > patienceMs))
      return dismissExport(id);
    const changed = { ...run, durationMs, progress: progress ?? run.progress };
    runs.set(runs.get().map((other) => (other.id === id ? changed : other)));
    await new Promise((resolve) => setTimeout(resolve, askEveryMs));
  }
}

/** Undefined while the server knows of no such download; what else is wrong passes. */
async function askProgress(id: string): Promise<ExportProgress | undefined> {
  try {
    const { body } = await client.call('GET /transfers/:transfer', { params: { transfer: id } });
    return body.state === 'waiting' ? undefined : body;
  } catch {
    return runOf(id)?.progress;
  }
}
