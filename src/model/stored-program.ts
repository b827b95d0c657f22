/** Stored programs: triggers, rules, functions, procedures and events. */
import type { OtherObject } from './other-objects.ts';

/** What a program must come before. Defaults, checks and indexes of tables call functions, and so do views. */
export type ProgramStage = 'before tables' | 'before views' | 'after rows';

/** A program of a database, as statements of its own dialect. */
export interface StoredProgram extends OtherObject {
  readonly stage: ProgramStage;
  /** Settings under which the script runs. Once is enough for all programs of a stage. */
  readonly session: readonly string[];
  /** For the database's own client. The terminator of the dialect ends each of them. */
  readonly script: readonly string[];
  /** The programs that it needs, as `programKey` names them. */
  readonly needs: readonly string[];
  /** The name of a function, as expressions write it. */
  readonly functionName?: string;
  /** The namespace of a routine, where that is not the default one. */
  readonly namespace?: string;
}

/** Identifies a program or another object of the database. */
export function programKey({ kind, name, table }: OtherObject): string {
  return JSON.stringify([kind, name, table?.namespace, table?.localName]);
}
