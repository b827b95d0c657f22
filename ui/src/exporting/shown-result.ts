/** The result of the last statement, while it is on screen. */
import { createStore, useSelector } from '@tanstack/react-store';
import type { Row } from '../api/queries.ts';

export interface ShownResult {
  readonly columns: readonly string[];
  readonly rows: readonly Row[];
  /** The statement returned more rows than are shown. */
  readonly isTruncated: boolean;
  /** The name of the database driver in the API. */
  readonly driver: string | undefined;
}

const shownResult = createStore<ShownResult | undefined>(undefined);

/** Registers a result. Call the returned function when the result leaves the screen. */
export function showResult(result: ShownResult): () => void {
  shownResult.setState(() => result);
  return () => shownResult.setState(() => undefined);
}

export function useShownResult(): ShownResult | undefined {
  return useSelector(shownResult);
}
