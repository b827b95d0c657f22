/** What the last statement gave, for as long as it is on screen. */
import type { Row } from '../api/queries.ts';
import { createStore } from '../parts/create-store.ts';

export interface ShownResult {
  readonly columns: readonly string[];
  readonly rows: readonly Row[];
  /** The statement gave more than is shown. */
  readonly isCut: boolean;
  /** The database that it is from, by the API's name. */
  readonly driver: string | undefined;
}

const shown = createStore<ShownResult | undefined>(undefined);

/** Gives what takes it away again. */
export function showResult(result: ShownResult): () => void {
  shown.set(result);
  return () => shown.set(undefined);
}

export const useShownResult = shown.use;
