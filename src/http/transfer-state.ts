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

export function isEnded({ state }: TransferState): boolean {
  return state === 'done' || state === 'failed' || state === 'cancelled';
}
