import type { CastType, SqlValue } from '../values/literals.ts';

/** A variable of a script. */
export interface ScriptVariable {
  /** Undefined if the dialect declares no types. */
  readonly type?: CastType | undefined;
  /** Undefined if only a database can compute it. */
  readonly value: SqlValue | undefined;
}

/** By their names in lower case. */
export type ScriptVariables = Map<string, ScriptVariable>;
