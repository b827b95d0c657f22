import type { ColumnType, Schema } from '../../model/schema.ts';
import type { ScriptProgram } from '../../model/stored-program.ts';
import type { SkippedComments } from '../../model/skipped-comments.ts';
import type { Position } from '../../portable/lexer/position.ts';

/** The result of reading a DDL file. */
export interface DdlReadResult {
  /** Types and expressions are native to the file's dialect; the default namespace is omitted. */
  readonly schema: Schema;
  /** One sentence for each thing that was left out. */
  readonly warnings: readonly string[];
  /** Tables and views that the file drops but does not create; they matter only if they exist in the database. */
  readonly dropped: readonly Dropped[];
  /** Errors that prevent the import. */
  readonly problems: readonly DdlProblem[];
  /** Triggers and routines of a dump, in the order in which they can be created. */
  readonly programs: readonly ScriptProgram[];
  /** In the order in which the script runs them. Absent without `hasRows`. */
  readonly executed?: readonly ExecutedStatement[];
}

/** A statement that a script runs within another one: in IF, a block, or the text of EXEC. */
export interface ExecutedStatement {
  readonly text: string;
  readonly line: number;
  /** The line on which the outermost statement around it begins. */
  readonly outerLine: number;
}

export interface Dropped extends Position {
  readonly name: string;
}

export interface DdlProblem extends Position {
  readonly code: 'parse_failed' | 'statement_refused';
  readonly message: string;
}

export interface DdlOptions {
  /**
   * What becomes of statements that change data: they are a problem, or they are omitted. `loaded`: the
   * file is a dump, whose rows are imported by other means, so what changes data here is a problem.
   */
  readonly data: 'rejected' | 'skipped' | 'loaded';
  /**
   * The text contains the rows of the dump, so that conditions of the script can read them. The result then
   * has the statements that the script runs within others.
   */
  readonly hasRows?: boolean;
  /** As of the `Schema` that the file is imported into, if it is of the same dialect. */
  readonly defaultNamespace?: string | undefined;
  /** The versioned comments that the connected server skips; undefined for a file of another database. */
  readonly skippedComments?: SkippedComments | undefined;
}

/** Reads the DDL of one dialect. Every dialect implements every member. */
export interface DdlReader {
  /** Runs in a process that can be killed, since a hostile text may need unbounded time or memory. */
  read(text: string, options: DdlOptions): Promise<DdlReadResult>;
  /**
   * Parses a native type of the dialect; kind `other` for an unknown type. If the dialect is only
   * `assumed`, a type that means something else in all other dialects is `other` too.
   */
  readType(text: string, assumed?: boolean): ColumnType;
  /** Whether the dialect has this type, as far as can be known without a database. */
  knowsType(text: string): boolean;
  /** Patterns that suggest that a text is of this dialect. */
  readonly dialectHints: readonly DialectHint[];
  /** Tools that write dumps of this dialect with comments at the beginning and the end. */
  readonly dumpTools?: readonly DumpTool[];
}

export interface DumpTool {
  readonly name: string;
  /** Matches the comment at the beginning of its dumps. */
  readonly begin: RegExp;
  /** Matches the comment at their end. */
  readonly end: RegExp;
  /** That comment, as in messages. */
  readonly lastComment: string;
}

/** A pattern that is searched for in code without comments and without the contents of strings. */
export interface DialectHint {
  readonly pattern: RegExp;
  /** Score of one occurrence; only the first few occurrences count. */
  readonly weight: number;
}
