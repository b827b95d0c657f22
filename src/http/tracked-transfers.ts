import { StudioError } from '../model/errors.ts';
import type { Progress } from '../studio/core/job.ts';

/** The progress of a download. */
export interface TransferState {
  readonly state: 'waiting' | 'running' | TransferEnd;
  readonly rows: number;
  /** The table that is currently exported. */
  readonly table?: string;
  /** Bytes produced so far. `sent_bytes` counts those that the client has received. */
  readonly bytes: number;
  readonly sent_bytes: number;
  /** Before the start: the number of imports and exports that are ahead in the queue. */
  readonly waiting?: number | undefined;
  /** The message of the error that made it fail. */
  readonly error?: string;
}

export type TransferEnd = 'done' | 'failed' | 'cancelled';

/**
 * Tracks downloads that have a client-chosen name. A page cannot see the progress of a file that the
 * browser saves, so it asks the server by this name. Entries expire shortly after the end.
 */
export interface Transfers {
  /** A reused name refers to the latest download. */
  track(name: string): TrackedTransfer;
  find(name: string): TransferState;
  cancel(name: string): void;
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
}

export function createTransfers(): Transfers {
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
      return trackedTransfer(entry, () => setTimeout(expire, retentionMs, name, entry).unref());
    },
    find: (name) => entries.get(name)?.state ?? { ...noProgress, state: 'waiting' },
    cancel: (name) => {
      const entry = entries.get(name);
      if (entry === undefined) throw new StudioError('not_found', 'There is no such download.');
      entry.stop.abort();
    },
  };
}

function begin(): Entry {
  return { stop: new AbortController(), state: { ...noProgress, state: 'running' } };
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
      onEnd();
    },
  };
}

function sentenceOf(error: unknown): string {
  return error instanceof StudioError ? error.message : 'The export failed.';
}
