import { StudioError } from '../model/errors.ts';
import type { Progress } from '../studio/core/job.ts';
import type { SharedTransfers } from './shared-transfers.ts';
import type { TransferEnd, TransferState } from './transfer-state.ts';

/**
 * Tracks downloads that have a client-chosen name. A page cannot see the progress of a file that the
 * browser saves, so it asks the server by this name. Entries expire shortly after the end.
 */
export interface Transfers {
  /** A reused name refers to the latest download. */
  track(name: string): TrackedTransfer;
  /** Also finds downloads that other copies of the studio send. */
  find(name: string): Promise<TransferState>;
  /** Fails with `not_found` if there is no such download. */
  cancel(name: string): Promise<void>;
}

export interface TrackedTransfer {
  /** Aborts when the client cancels the download. */
  readonly signal: AbortSignal;
  setProgress(progress: Pick<Progress, 'rows' | 'table' | 'bytes' | 'waiting'>): void;
  sent(bytes: number): void;
  end(end: TransferEnd, outcome?: TransferOutcome): void;
}

interface TransferOutcome {
  readonly rows?: number;
  readonly error?: unknown;
}

const retentionMs = 60_000;
const maxEntries = 1000;

const noProgress = { rows: 0, bytes: 0, sent_bytes: 0 };

interface Entry {
  readonly stop: AbortController;
  state: TransferState;
  /** Settles when the download has ended. */
  readonly end: PromiseWithResolvers<void>;
}

/** `shared` are the downloads of copies of the studio that have the same state folder. */
export function createTransfers(shared?: SharedTransfers): Transfers {
  const entries = new Map<string, Entry>();
  const expire = (name: string, entry: Entry): void => {
    if (entries.get(name) === entry) entries.delete(name);
  };
  return {
    track: (name) => {
      const entry = begin();
      entries.delete(name);
      entries.set(name, entry);
      const [oldest] = entries.keys();
      if (entries.size > maxEntries && oldest !== undefined) entries.delete(oldest);
      shared?.publish(name, {
        state: () => entry.state,
        cancel: () => entry.stop.abort(),
        ended: entry.end.promise,
      });
      return trackedTransfer(entry, () => setTimeout(expire, retentionMs, name, entry).unref());
    },
    find: async (name) =>
      entries.get(name)?.state ?? (await shared?.find(name)) ?? { ...noProgress, state: 'waiting' },
    cancel: async (name) => {
      const entry = entries.get(name);
      if (entry !== undefined) entry.stop.abort();
      else if ((await shared?.cancel(name)) !== true)
        throw new StudioError('not_found', 'There is no such download.');
    },
  };
}

function begin(): Entry {
  return {
    stop: new AbortController(),
    state: { ...noProgress, state: 'running' },
    end: Promise.withResolvers(),
  };
}

function trackedTransfer(entry: Entry, onEnd: () => void): TrackedTransfer {
  const { signal } = entry.stop;
  const change = (changes: Partial<TransferState>): void => {
    if (entry.state.state === 'running') entry.state = { ...entry.state, ...changes };
  };
  return {
    signal,
    setProgress: ({ rows, bytes, table, waiting }) =>
      change({ rows, bytes, waiting, ...(table === undefined ? {} : { table }) }),
    sent: (bytes) => {
      const sentBytes = entry.state.sent_bytes + bytes;
      change({ sent_bytes: sentBytes, bytes: Math.max(entry.state.bytes, sentBytes) });
    },
    end: (end, { rows = entry.state.rows, error } = {}) => {
      const state = signal.aborted ? 'cancelled' : end;
      change({
        rows,
        state,
        waiting: undefined,
        ...(state === 'failed' ? { error: sentenceOf(error) } : {}),
      });
      entry.end.resolve();
      onEnd();
    },
  };
}

function sentenceOf(error: unknown): string {
  return error instanceof StudioError ? error.message : 'The export failed.';
}
