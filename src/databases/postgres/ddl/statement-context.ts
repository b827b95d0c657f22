import type { Check, Column } from '../../../model/schema.ts';
import type { SchemaDraft, TableReference } from '../../../sql/ddl/draft.ts';
import type { ScriptStatement } from '../../../sql/ddl/script-statement.ts';
import type { ParsedStatement } from '../language/parse-statement.ts';
import type { Numbering } from './read-numbering.ts';
import type { Partition } from './partitions.ts';
import type { OwnTypes } from './read-type-name.ts';
import type { Namespaces } from './tree-names.ts';

export interface SequenceStatement {
  readonly line: number;
  readonly reference: TableReference;
  /** The column that OWNED BY names. */
  readonly owner?: SequenceOwner;
}

export interface SequenceOwner {
  /** Of the statement. */
  readonly line: number;
  readonly table: TableReference;
  readonly column: string;
}

/** State that statements of a file pass on to later ones. */
export interface FileState {
  readonly types: OwnTypes;
  readonly namespaces: Namespaces;
  readonly owners: Set<string>;
  /** The lines of CREATE SCHEMA, by name. */
  readonly createdNamespaces: Map<string, number>;
  /** By name: the namespace that the file names. */
  readonly extensions: Map<string, string | undefined>;
  readonly routines: Set<string>;
  /** Composite and range types, which are left out. */
  readonly otherTypes: Set<string>;
  /** Collations, which are left out. */
  readonly collations: Set<string>;
  /** The columns of composite types, by the type's name. */
  readonly compositeTypes: Map<string, readonly Column[]>;
  /** The script is a dump, whose rows come between the tables and the programs. */
  readonly isLoaded: boolean;
  /** Constraints with NOT VALID, by the key of the program: adds the constraint to its table instead. */
  readonly unvalidated: Map<string, () => void>;
  /** Checks with NO INHERIT. */
  readonly notInherited: WeakSet<Check>;
  /** By the partition's name. */
  readonly partitions: Map<string, Partition>;
  /** By their local name. */
  readonly sequences: Map<string, SequenceStatement>;
  /** By the sequence's local name. */
  readonly numberings: Map<string, Numbering>;
}

export interface StatementContext {
  readonly statement: ScriptStatement;
  readonly parsed: ParsedStatement;
  readonly draft: SchemaDraft;
  readonly state: FileState;
}
