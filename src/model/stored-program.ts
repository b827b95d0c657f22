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

/** Settings of the session, and their reset. */
export interface ProgramSession {
  readonly begin: readonly string[];
  readonly end: readonly string[];
}

/** A program of a script, which an import into a database of the same dialect creates. */
export interface ScriptProgram {
  /** As in messages: `trigger`. */
  readonly kind: string;
  /** Part of the structure that is created like a program: an empty schema, a constraint after the rows. */
  readonly isStructure?: true;
  readonly name: string;
  /** Identifies it among the programs of the script: with the arguments, where names can be overloaded. */
  readonly key: string;
  /** The keys of programs that it needs, as far as the script has them. */
  readonly needs: readonly string[];
  readonly line: number;
  readonly stage: ProgramStage;
  /** The statement that creates it. */
  readonly text: string;
  /** Settings under which the text runs, and their reset. */
  readonly session?: ProgramSession;
  /** The name of a function, as expressions write it. */
  readonly functionName?: string;
  /** The namespace in which it is created, where that is not the default one. */
  readonly namespace?: string;
  /** Drops it, on databases that commit every DDL statement. */
  readonly drop?: string;
  /** The local name of the table of a trigger, on the same databases. */
  readonly table?: string;
}

/** What expressions need from a program: a function by its name, or a sequence. */
export function neededAs({
  kind,
  name,
  functionName,
}: Pick<ScriptProgram, 'kind' | 'name' | 'functionName'>): string | undefined {
  return kind === 'sequence' ? `the sequence ${name}` : functionName;
}

export interface EffectOptions {
  /** With what the body of a trigger or routine does when it runs, if that is outside of its database. */
  readonly isProgram?: boolean;
}
