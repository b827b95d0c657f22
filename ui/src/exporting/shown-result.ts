/** What the last statement gave, for as long as it is on screen. */
import { useSyncExternalStore } from 'react';
import type { Row } from '../api/queries.ts';

export interface ShownResult {
  readonly columns: readonly string[];
  readonly rows: readonly Row[];
  /** The statement gave more than is shown. */
  readonly isCut: boolean;
}

let shown: ShownResult | undefined;
const listeners = new Set<() => void>();

/** Gives what takes it away again. */
export function showResult(result: ShownResult): () => void {
  change(result);
  return () => change(undefined);
}

export function useShownResult(): ShownResult | undefined {
  return useSyncExternalStore(subscribe, () => shown);
}

function change(next: ShownResult | undefined): void {
  shown = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
