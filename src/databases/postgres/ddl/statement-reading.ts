import type { SchemaDraft } from '../../../sql/ddl/draft.ts';
import type { ScriptStatement } from '../../../sql/ddl/read-script.ts';
import type { ParsedStatement } from '../language/parse-statement.ts';
import type { OwnTypes } from './read-type-name.ts';
import type { Namespaces } from './tree-names.ts';

/** What statements leave behind for those after them. */
export interface FileState {
  readonly types: OwnTypes;
  readonly namespaces: Namespaces;
  readonly owners: Set<string>;
  readonly extensions: Set<string>;
  readonly routines: Set<string>;
  /** Types that are left out. */
  readonly otherTypes: Set<string>;
  /** Partitions, whose rows are their table's. */
  readonly partitions: Set<string>;
  /** Those that no column owns, by the line that makes them. */
  readonly sequences: Map<string, number>;
  /** The options of sequences that are not the usual ones, by the sequence's local name. */
  readonly numberings: Map<string, string>;
}

export interface StatementReading {
  readonly statement: ScriptStatement;
  readonly parsed: ParsedStatement;
  readonly draft: SchemaDraft;
  readonly state: FileState;
}
