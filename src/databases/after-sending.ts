import type { InsertOptions } from '../model/load-session.ts';

/** Calls `onSent` once the statement that was just started has left the queue of the connection. */
export function afterSending<T>(result: Promise<T>, { onSent }: InsertOptions): Promise<T> {
  if (onSent !== undefined) setImmediate(onSent);
  return result;
}
