import type { CodeToken } from './code.ts';

/** From harmless to what nobody wants by accident; of several, the last one is what a statement is. */
export const statementKinds = [
  /** Nothing to run. */
  'empty',
  'read',
  /** Changes this connection only: SET, USE, LISTEN. */
  'session',
  'transaction',
  /** Changes or locks rows. */
  'write',
  'ddl',
  /** Runs what its text does not show: CALL, DO, EXECUTE, blocks of code. */
  'execute',
  /** The server, its privileges, its maintenance. */
  'administration',
  'unknown',
  /** Reaches files, programs or the network. */
  'external',
] as const;

export type StatementKind = (typeof statementKinds)[number];

/** Verbs whose statement must be looked into. */
export type StatementShape = 'query' | 'with' | 'explain' | 'pragma' | 'copy';

export interface Effect {
  readonly kind: StatementKind;
  readonly reason: string;
  /** The function whose call has the effect. */
  readonly calls?: string;
}

/** One statement's code, and how its dialect reads it. */
export interface StatementCode {
  readonly text: string;
  readonly code: readonly CodeToken[];
  /** For each opening parenthesis in `code`, the place behind its group. */
  readonly groupEnds: readonly number[];
  readonly rules: StatementRules;
}

/** What one dialect's statements do. Words are in capitals, function names in small letters. */
export interface StatementRules {
  /** By a statement's first words; of several that match the longest counts. */
  readonly verbs: Readonly<Record<string, StatementKind | StatementShape>>;
  /** Verbs that can be no bare name: anywhere in a query they are verbs. */
  readonly reservedVerbs: readonly string[];
  /** Words in a row that make a statement more than its verb says. Those with INTO count in queries and administration. */
  readonly phrases: Readonly<Record<string, StatementKind>>;
  /** Functions that do more than read; `name*` stands for all that begin so. */
  readonly functions: Readonly<Record<string, StatementKind>>;
  readonly pragmas: PragmaRules;
  /**
   * Matches statements whose effect ends with their connection. It is tested on the statement's words
   * in upper case, separated by single spaces.
   */
  readonly temporary: RegExp;
  /** Texts that the server may read otherwise than the lexer; no text with one is called a read. */
  readonly doubtful: RegExp | undefined;
  /** A batch may begin with a procedure's name. */
  readonly bareCalls: boolean;
  /** Effects that words in a row do not show: names of several parts, settings, options of tables. */
  readonly effects?: (statement: StatementCode) => readonly Effect[];
}

export interface PragmaRules {
  /** Those that only read, alone. */
  readonly bare: readonly string[];
  /** Those that only read, with a value too. */
  readonly withValue: readonly string[];
  /** Those that set something beyond their connection and the file, when they have a value. */
  readonly beyond: Readonly<Record<string, StatementKind>>;
}
