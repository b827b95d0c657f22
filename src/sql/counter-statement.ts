/** Statements of scripts that set what the next generated value of a column or sequence is. */
import type { CounterPosition } from '../model/counters.ts';
import type { SettingToken } from './script-settings.ts';
import type { TokenCursor } from './token-cursor.ts';

/** The counter that a statement names: that of a table's numbered column, or a sequence. */
export type NamedCounter =
  | { readonly kind: 'table'; readonly parts: readonly string[]; readonly column?: string }
  | { readonly kind: 'sequence'; readonly parts: readonly string[] };

export type CounterStatement =
  | {
      readonly kind: 'position';
      readonly counter: NamedCounter;
      readonly position: CounterPosition;
      /** In a table without rows, the value is the next one. */
      readonly isNextIfEmpty?: true;
      /** The statement also changes the schema. */
      readonly changesSchema?: true;
    }
  /** It computes the greatest value of the rows, as every import does. */
  | { readonly kind: 'rows' }
  /** It sets a counter in a way that is not supported. */
  | { readonly kind: 'unsupported' };

/** The statement as a counter statement of its dialect; undefined for any other statement. */
export type ReadCounter = (tokens: readonly SettingToken[]) => CounterStatement | undefined;

export const unsupportedCounter: CounterStatement = { kind: 'unsupported' };

/** Parses the end of a RESTART clause: the next value of the counter, and nothing after it. */
export function readNextValue(cursor: TokenCursor, counter: NamedCounter): CounterStatement {
  const value = cursor.integer();
  return value !== undefined && cursor.isAtEnd()
    ? { kind: 'position', counter, position: { value, isUsed: false } }
    : unsupportedCounter;
}
