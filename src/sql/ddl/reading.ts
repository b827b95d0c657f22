import type { ColumnType, Schema } from '../../model/schema.ts';
import type { Position } from '../position.ts';

/** What a file of DDL says. */
export interface DdlReading {
  /** Native to the file's dialect; its default namespace goes without saying. */
  readonly schema: Schema;
  /** What was left out, a sentence each. */
  readonly warnings: readonly string[];
  /** Tables and views that the file drops, which is no matter where they are not there. */
  readonly dropped: readonly Dropped[];
  /** What keeps the file from being taken. */
  readonly problems: readonly DdlProblem[];
}

export interface Dropped extends Position {
  readonly name: string;
}

export interface DdlProblem extends Position {
  readonly code: 'parse_failed' | 'statement_refused';
  readonly message: string;
}

export interface DdlOptions {
  /** Statements that change data are left out; else they are a problem. */
  readonly skipData: boolean;
}

/** How one dialect's DDL is read. Every member is required of every dialect. */
export interface DdlReader {
  /** A text without an end of time or memory may be handed in: it is for a process that can be killed. */
  read(text: string, options: DdlOptions): Promise<DdlReading>;
  /**
   * A native type as the dialect spells it; kind `other` for one that it does not know, and, where it
   * is `assumed` that the text is of this dialect, for one that means something else everywhere else.
   */
  readType(text: string, assumed?: boolean): ColumnType;
  /** Whether the dialect itself has a type of that spelling, as far as can be told without a database. */
  knowsType(text: string): boolean;
  /** By what a text shows that it is of this dialect. */
  readonly signs: readonly DialectSign[];
}

/** A pattern that is looked for in code, with comments and the contents of quotes taken out. */
export interface DialectSign {
  readonly pattern: RegExp;
  /** How much one occurrence says; a few occurrences say more, many no more than a few. */
  readonly weight: number;
}
