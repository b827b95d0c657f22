import { StudioError } from '../model/errors.ts';
import type { Progress } from '../studio/job.ts';

/** How far a download is. */
export interface TransferState {
  readonly state: 'waiting' | 'running' | TransferEnd;
  readonly rows: number;
  /** The table that is being read. */
  readonly table?: string;
  /** What has been made of the file, and what of that the client has taken. */
  readonly bytes: number;
  readonly sent_bytes: number;
  /** While it has not started: how many imports and exports start before it. */
  readonly waiting?: number | undefined;
  /** Why it failed. */
  readonly error?: string;
}

export type TransferEnd = 'done' | 'failed' | 'cancelled';

/**
 * Downloads that their clients gave names, so that a page can tell how far one is that its browser
 * saves by itself. They are forgotten soon after their end.
 */
export interface Transfers {
  /** A name that is used again is that of the later download. */
  follow(name: string): FollowedTransfer;
  find(name: string): TransferState;
  cancel(name: string): void;
}

export interface FollowedTransfer {
  /** Says that nobody wants the file any more. */
  readonly signal: AbortSignal;
  tell(progress: Pick<Progress, 'rows' | 'table' | 'bytes' | 'waiting'>): void;
  sent(bytes: number): void;
  end(end: TransferEnd, outcome?: TransferOutcome): void;
}

interface TransferOutcome {
  readonly rows?: number;
  readonly error?: unknown;
}

const rememberedMs = 60_000;
const mostRemembered = 1000;

const nothing = { rows: 0, bytes: 0, sent_bytes: 0 };

interface Entry {
  readonly stop: AbortController;
  state: TransferState;
}

export function createTransfers(): Transfers {
  const entries = new Map<string, Entry>();
  const forget = (name: string, entry: Entry): void => {
    if (entries.get(name) === entry) entries.delete(name);
  };
  return {
    follow: (name) => {
      const entry = begin();
      entries.delete(name);
      entries.set(name, entry);
      const [oldest] = entries.keys();
      if (entries.size > mostRemembered && oldest !== undefined) entries.delete(oldest);
      return following(entry, () => setTimeout(forget, rememberedMs, name, entry).unref());
    },
    find: (name) => entries.get(name)?.state ?? { ...nothing, state: 'waiting' },
    cancel: (name) => {
      const entry = entries.get(name);
      if (entry === undefined) throw new StudioError('not_found', 'There is no such download.');
      entry.stop.abort();
    },
  };
}

function begin(): Entry {
  return { stop: new AbortController(), state: { ...nothing, state: 'running' } };
}

function following(entry: Entry, onEnd: () => void): FollowedTransfer {
  const { signal } = entry.stop;
  const change = (changes: Partial<TransferState>): void => {
    if (entry.state.state === 'running') entry.state = { ...entry.state, ...changes };
  };
  return {
    signal,
    tell: ({ rows, bytes, table, waiting }) =>
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
  return error instanceof StudioError ? error.message : 'The export broke off.';
}
