import type { CodeToken } from '../portable/lexer/code.ts';

/** In ascending order of risk; a statement with several effects gets the last of their kinds. */
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
  /** Runs code that the text does not show: CALL, DO, EXECUTE, blocks of code. */
  'execute',
  /** The server, its privileges, its maintenance. */
  'administration',
  'unknown',
  /** Reaches files, programs or the network. */
  'external',
] as const;

export type StatementKind = (typeof statementKinds)[number];

/** Verbs whose statements need a closer look. */
export type StatementShape = 'query' | 'with' | 'explain' | 'pragma' | 'copy';

export interface Effect {
  readonly kind: StatementKind;
  readonly reason: string;
  /** Name of the function whose call has the effect. */
  readonly calls?: string;
}

/** The tokens of one statement, and the rules of its dialect. */
export interface StatementCode {
  readonly text: string;
  readonly code: readonly CodeToken[];
  /** For each opening parenthesis in `code`, the index after its group. */
  readonly groupEnds: readonly number[];
  readonly rules: StatementRules;
}

/** The effects of a dialect's statements. Keywords are in upper case, function names in lower case. */
export interface StatementRules {
  /** By the first words of a statement; the longest match counts. */
  readonly verbs: Readonly<Record<string, StatementKind | StatementShape>>;
  /** Verbs that cannot be unquoted names, so they are verbs anywhere in a query. */
  readonly reservedVerbs: readonly string[];
  /** Sequences of words that add an effect to a statement. Those with INTO count in queries and administration only. */
  readonly phrases: Readonly<Record<string, StatementKind>>;
  /** Functions that do more than read; `name*` matches all names with that prefix. */
  readonly functions: Readonly<Record<string, StatementKind>>;
  readonly pragmas: PragmaRules;
  /**
   * Matches statements whose effect ends with their connection. It is tested on the statement's words
   * in upper case, separated by single spaces.
   */
  readonly temporary: RegExp;
  /** Matches texts that the server may tokenize differently from the lexer; they are never classified as reads. */
  readonly ambiguousText: RegExp | undefined;
  /** A batch may call a procedure by its name alone. */
  readonly callsWithoutVerb: boolean;
  /** Finds effects that the tables above cannot express: qualified names, settings, table options. */
  readonly effects?: (statement: StatementCode) => readonly Effect[];
  /** Matches whole statements that the studio writes into structures, and whose verbs imports would reject otherwise. */
  readonly written?: RegExp;
}

export interface PragmaRules {
  /** Pragmas that only read when they have no value. */
  readonly bare: readonly string[];
  /** Pragmas that only read even with a value. */
  readonly withValue: readonly string[];
  /** Pragmas whose value changes something beyond their connection and the database file. */
  readonly withExternalEffects: Readonly<Record<string, StatementKind>>;
}
