/** What the pages know of a database beyond the responses of the API. */
import type { LexicalRules } from './lexer/lexer.ts';
import type { SplitRules } from './lexer/split.ts';

export interface DatabasePresentation {
  /** As in the API: `driver` of the schema response. */
  readonly name: string;
  /** For people. */
  readonly title: string;
  readonly lexicalRules: LexicalRules;
  readonly splitRules: SplitRules;
  /** The export of `@codemirror/lang-sql` that is the grammar of the SQL editor. */
  readonly editorGrammar: 'SQLite' | 'PostgreSQL' | 'MySQL' | 'MSSQL';
  /** What goes before a statement to get its plan. Undefined where a plan needs a setting of the connection. */
  readonly explainPrefix: string | undefined;
  readonly parameters: ParameterSyntax;
  /** The studio opens the file of the database itself, without a server. */
  readonly isFile?: true;
  /** A column stores a text that does not fit its type. */
  readonly storesAnyText?: true;
  /** What differs from standard SQL in names and values. */
  readonly literals: Partial<SqlLiterals>;
}

export interface ParameterSyntax {
  /** Returns the placeholder of the nth value, from 1. */
  readonly placeholder: (position: number) => string;
  /** Placeholders are anonymous, so each occurrence needs its own value. */
  readonly isByOrder?: boolean;
  /** Variables count as parameters: a single statement cannot declare variables. */
  readonly areVariables?: boolean;
}

/** The column that a value is for. A column of a query's result has neither member. */
export interface LiteralColumn {
  readonly kind?: string;
  /** As the database names the type. */
  readonly type?: string;
}

/** How a statement writes names and values. */
export interface SqlLiterals {
  readonly name: (name: string) => string;
  readonly text: (text: string) => string;
  /** `hex` has two digits for each byte. */
  readonly bytes: (hex: string) => string;
  readonly boolean: (value: boolean) => string;
  /** Minus zero of a float. A plain `-0` loses its sign. */
  readonly negativeZero: string;
  /** A JSON column accepts text that is not JSON, so a string is written as itself. */
  readonly keepsAnyText: boolean;
  /** A value that arrives as text, where the column would not read the text as that value. */
  readonly typed: (text: string, column: LiteralColumn) => string | undefined;
  /** An array, given as the text `{1,2}`. Undefined where arrays are JSON. */
  readonly array: ((text: string, column: LiteralColumn) => string) | undefined;
}

export function standardText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

const standardLiterals: SqlLiterals = {
  name: (name) => `"${name.replaceAll('"', '""')}"`,
  text: standardText,
  bytes: (hex) => `X'${hex}'`,
  boolean: (value) => (value ? 'TRUE' : 'FALSE'),
  negativeZero: '-0e0',
  keepsAnyText: false,
  typed: () => undefined,
  array: undefined,
};

/** Standard SQL where a database is unknown. */
export function literalsOf(presentation: DatabasePresentation | undefined): SqlLiterals {
  return { ...standardLiterals, ...presentation?.literals };
}
