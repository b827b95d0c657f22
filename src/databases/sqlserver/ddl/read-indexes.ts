/** Reads CREATE INDEX and DROP INDEX of T-SQL. */
import {
  DdlError,
  accept,
  expect,
  offsetOf,
  parseName,
  parseQualifiedName,
} from '../../../sql/ddl/cursor.ts';
import { isSameName, withoutConstraint } from '../../../sql/ddl/change-table.ts';
import { changeTable, findView, nameOfTable } from '../../../sql/ddl/draft.ts';
import { parseIndexParts } from '../../../sql/ddl/read-keys.ts';
import { requireTable } from '../../../sql/ddl/read-script.ts';
import { warnOmitted } from '../../../sql/ddl/warn-omitted.ts';
import { skipColumnstore, parseIndexTail } from './ddl-rules.ts';
import type { Cursor } from '../../../sql/ddl/cursor.ts';
import type { DdlRules } from '../../../sql/ddl/ddl-rules.ts';
import type { SchemaDraft, TableReference } from '../../../sql/ddl/draft.ts';
import type { StatementOutcome } from '../../../sql/ddl/read-script.ts';
import type { Table } from '../../../model/schema.ts';
import type { ScriptStatement } from '../../../sql/ddl/script-statement.ts';

interface IndexContext {
  readonly statement: ScriptStatement;
  readonly cursor: Cursor;
  readonly draft: SchemaDraft;
  readonly rules: DdlRules;
}

interface CreatedIndex {
  readonly unique: boolean;
  /** Warnings about CLUSTERED and NONCLUSTERED, which are left out. */
  readonly clusteringWarnings: readonly string[];
}

export function createIndex(
  { statement, cursor, draft, rules }: IndexContext,
  { unique, clusteringWarnings: clustering }: CreatedIndex,
): StatementOutcome {
  const { name, reference, isOfView, warn } = parseIndexTarget({ statement, cursor, draft, rules });
  if (!isOfView) for (const message of clustering) warn(message);
  const index = { name, unique, parts: parseIndexParts(cursor), ...parseIndexTail(cursor, warn) };
  if (isOfView) {
    warnOmitted(statement, draft, `the index ${name} of the view ${nameOfTable(reference)}`);
    return true;
  }
  changeTable(draft, reference, (table) => ({ ...table, indexes: [...table.indexes, index] }));
  return true;
}

interface IndexTarget {
  readonly name: string;
  readonly reference: TableReference;
  readonly isOfView: boolean;
  readonly warn: (message: string) => void;
}

/** Parses `name ON table`; throws if the file creates neither such a table nor such a view. */
function parseIndexTarget({ statement, cursor, draft, rules }: IndexContext): IndexTarget {
  const name = parseName(cursor, 'a name');
  expect(cursor, 'ON');
  const at = offsetOf(cursor);
  const reference = rules.tableReference(parseQualifiedName(cursor, 'a table'));
  const isOfView = findView(draft, reference) !== undefined;
  if (!isOfView) requireTable(draft, reference, at);
  const warn = (message: string): void =>
    void draft.warnings.push(`Line ${statement.line}: the index ${name}: ${message}`);
  return { name, reference, isOfView, warn };
}

/** Parses `COLUMNSTORE INDEX name ON table …` after INDEX. */
export function skipColumnstoreIndex(reading: IndexContext): StatementOutcome {
  const { name, reference, warn } = parseIndexTarget(reading);
  const columns = skipColumnstore(reading.cursor, warn);
  const omitted = `the columnstore index ${name} of ${nameOfTable(reference)}${columns}`;
  warnOmitted(reading.statement, reading.draft, omitted);
  return true;
}

/** Throws for the index of a key, which only ALTER TABLE drops. */
function requireNoConstraint(
  { primaryKey, indexes, name: table }: Table,
  name: string,
  at: number,
): void {
  const keys = [primaryKey, ...indexes.filter(({ constraint }) => constraint === true)];
  if (keys.some((key) => isSameName(key?.name, name)))
    throw new DdlError(
      `The index ${name} belongs to a key of ${table}. Drop it with ALTER TABLE … DROP CONSTRAINT.`,
      at,
    );
}

/** `DROP INDEX [IF EXISTS] name ON table [WITH (…)], …`, and the older `DROP INDEX table.name` */
export function dropIndexes({ statement, cursor, draft, rules }: IndexContext): StatementOutcome {
  const isOptional = accept(cursor, 'IF', 'EXISTS');
  do {
    const at = offsetOf(cursor);
    const parts = parseQualifiedName(cursor, 'an index');
    const name = parts.at(-1) ?? '';
    const target = accept(cursor, 'ON')
      ? parseQualifiedName(cursor, 'a table')
      : parts.slice(0, -1);
    const reference = rules.tableReference(target);
    if (findView(draft, reference) === undefined) {
      const table = requireTable(draft, reference, at);
      const exists = table.indexes.some((index) => isSameName(index.name, name));
      requireNoConstraint(table, name, at);
      if (!exists && !isOptional) warnOmitted(statement, draft, `DROP INDEX ${name}`);
      if (exists) changeTable(draft, reference, (each) => withoutConstraint(each, name));
    }
    const warn = (message: string): void =>
      void draft.warnings.push(`Line ${statement.line}: DROP INDEX ${name}: ${message}`);
    parseIndexTail(cursor, warn);
  } while (accept(cursor, ','));
  return true;
}
