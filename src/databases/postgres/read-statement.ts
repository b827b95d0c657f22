/** What one statement of PostgreSQL's makes of the draft. */
import { placeOf, textBetween } from '../../sql/ddl/cursor.ts';
import { renameColumn, renameTable } from '../../sql/ddl/change-table.ts';
import {
  changeTable,
  emptyTable,
  findTable,
  nameOfTable,
  removeTable,
} from '../../sql/ddl/draft.ts';
import { addTable, demandTable, leaveOut } from '../../sql/ddl/read-script.ts';
import { tableOf } from '../../sql/ddl/read-table.ts';
import { newBody, withConstraints } from '../../sql/ddl/table-body.ts';
import { readComment, readDrop } from './read-comment.ts';
import { readCommand, silentCommands } from './read-alter-tree.ts';
import { readIndexTree } from './read-index-tree.ts';
import { readColumnTree, readConstraintTree } from './read-table-tree.ts';
import { readTypes } from './read-own-types.ts';
import { relationOf, stringsOf } from './tree-names.ts';
import { numberingOf } from './read-numbering.ts';
import type {
  AlterSeqStmt,
  AlterTableCmd,
  AlterTableStmt,
  CreateSeqStmt,
  CreateStmt,
  CreateTableAsStmt,
  IndexStmt,
  Node,
  RenameStmt,
  VariableSetStmt,
  ViewStmt,
} from 'libpg-query';
import type { Table } from '../../model/schema.ts';
import type { Draft, TableReference } from '../../sql/ddl/draft.ts';
import type { ParsedStatement } from './parse-statement.ts';
import type { FileState, StatementReading } from './statement-reading.ts';
import type { TreeReading } from './read-table-tree.ts';

/** Whether the statement was structure, and has been taken; `data` for one that makes rows. */
export function readStatement(reading: StatementReading): boolean | 'data' {
  const { node } = reading.parsed;
  if ('CreateStmt' in node) return createTable(node.CreateStmt, reading);
  if ('AlterTableStmt' in node) return alterTable(node.AlterTableStmt, reading);
  if ('IndexStmt' in node) return createIndex(node.IndexStmt, reading);
  if ('ViewStmt' in node) return createView(node.ViewStmt, reading);
  if ('CreateTableAsStmt' in node) return createFromQuery(node.CreateTableAsStmt, reading);
  if ('CommentStmt' in node) return readComment(node.CommentStmt, reading);
  if ('DropStmt' in node) return readDrop(node.DropStmt, reading);
  if ('RenameStmt' in node) return rename(node.RenameStmt, reading);
  if ('VariableSetStmt' in node) return setVariable(node.VariableSetStmt, reading.state);
  if ('CreateSeqStmt' in node) return createSequence(node.CreateSeqStmt, reading);
  if ('AlterSeqStmt' in node) return alterSequence(node.AlterSeqStmt, reading);
  if ('AlterOwnerStmt' in node) {
    reading.state.owners.add(node.AlterOwnerStmt.newowner?.rolename ?? '');
    return true;
  }
  return readTypes(node, reading) || noteSurroundings(node, reading.state);
}

// Tables

function treeReading(reference: TableReference, reading: StatementReading): TreeReading {
  const { parsed, state, draft, statement } = reading;
  const warn = (what: string): void =>
    void draft.warnings.push(`Line ${statement.line}: ${reference.localName}: ${what}`);
  return {
    parsed,
    types: state.types,
    namespaces: state.namespaces,
    body: newBody(reference, undefined as never, warn),
  };
}

function createTable(tree: CreateStmt, reading: StatementReading): boolean {
  const { state, draft, statement } = reading;
  const reference = relationOf(tree.relation, state.namespaces);
  if (tree.relation?.relpersistence === 't') {
    leaveOut(statement, draft);
    return true;
  }
  if (tree.partbound !== undefined) {
    state.partitions.add(nameOfTable(reference));
    return true;
  }
  const part = treeReading(reference, reading);
  if (tree.ofTypename !== undefined) {
    part.body.warn('it is left out, being a table of a type that is.');
    return true;
  }
  inherit(tree, part, draft);
  for (const element of tree.tableElts ?? []) readElement(element, part, draft);
  const table: Table = {
    ...tableOf(part.body as Parameters<typeof tableOf>[0]),
    ...withConstraints(optionsOf(tree, part), part.body),
  };
  const { line, column } = statement;
  addTable(draft, { table, position: { line, column } }, tree.if_not_exists === true);
  return true;
}

function readElement(element: Node, part: TreeReading, draft: Draft): void {
  if ('ColumnDef' in element) readColumnTree(element.ColumnDef, part);
  else if ('Constraint' in element) readConstraintTree(element.Constraint, part);
  else if ('TableLikeClause' in element) {
    const like = relationOf(element.TableLikeClause.relation, part.namespaces);
    takeOver(
      demandTable(draft, like, placeOf(part.parsed.cursor)),
      element.TableLikeClause.options ?? 0,
      part,
    );
  }
}

const includingDefaults = 1 << 3;
const includingGenerated = 1 << 4;
const includingIndexes = 1 << 6;

/** LIKE takes names, types and NOT NULL; the rest only where INCLUDING says so. */
function takeOver(table: Table, options: number, { body }: TreeReading): void {
  const has = (option: number): boolean => (options & option) !== 0;
  for (const { default: preset, generated, ...column } of table.columns)
    body.columns.push({
      ...column,
      ...(preset !== undefined && has(includingDefaults) ? { default: preset } : {}),
      ...(generated !== undefined && has(includingGenerated) ? { generated } : {}),
    });
  if (!has(includingIndexes)) return;
  if (table.primaryKey !== undefined) body.primaryKey = { columns: table.primaryKey.columns };
  body.indexes.push(
    ...table.indexes
      .filter(({ constraint }) => constraint)
      .map((index) => ({ ...index, name: '' })),
  );
}

/** The columns of a parent come first, as they would be there. */
function inherit(tree: CreateStmt, part: TreeReading, draft: Draft): void {
  for (const node of tree.inhRelations ?? []) {
    if (!('RangeVar' in node)) continue;
    const reference = relationOf(node.RangeVar, part.namespaces);
    const parent = findTable(draft, reference);
    part.body.columns.push(...(parent?.columns ?? []));
    part.body.warn(`it inherits from ${nameOfTable(reference)} no more, but has its columns.`);
  }
}

function optionsOf(tree: CreateStmt, { body }: TreeReading): Pick<Table, 'options'> {
  if (tree.partspec !== undefined) body.warn('it is one table, without partitions.');
  if (tree.tablespacename) body.warn(`its tablespace ${tree.tablespacename} is left out.`);
  const names = namesOf(tree.options);
  if (names.length > 0) body.warn(`its storage parameters (${names.join(', ')}) are left out.`);
  return tree.relation?.relpersistence === 'u' ? { options: { persistence: 'unlogged' } } : {};
}

function namesOf(options: readonly Node[] | undefined): readonly string[] {
  return (options ?? []).flatMap((node) =>
    'DefElem' in node ? [node.DefElem.defname ?? 'one without a name'] : [],
  );
}

function alterTable(tree: AlterTableStmt, reading: StatementReading): boolean {
  const { state, draft, parsed } = reading;
  const reference = relationOf(tree.relation, state.namespaces);
  const commands = (tree.cmds ?? []).flatMap((node) =>
    'AlterTableCmd' in node ? [node.AlterTableCmd] : [],
  );
  const isOwner = commands.every(({ subtype }) => subtype === 'AT_ChangeOwner');
  const isTable = tree.objtype === 'OBJECT_TABLE' && findTable(draft, reference) !== undefined;
  for (const { def } of commands) attach(def, reading);
  if (isOwner) for (const { newowner } of commands) state.owners.add(newowner?.rolename ?? '');
  if (isOwner || commands.every(({ subtype }) => subtype === 'AT_AttachPartition')) return true;
  if (!isTable && isNoStructure(commands)) return true;
  if (!isTable && isElsewhere(tree, reference, reading)) {
    if (!state.partitions.has(nameOfTable(reference))) leaveOut(reading.statement, draft);
    return true;
  }
  demandTable(draft, reference, parsed.cursor.offset);
  const alter = {
    ...treeReading(reference, reading),
    draft,
    reference,
    owners: state.owners,
    defaults: 0,
  };
  for (const command of commands) readCommand(command, alter);
  return true;
}

function isNoStructure(commands: readonly AlterTableCmd[]): boolean {
  return commands.every(({ subtype }) => subtype !== undefined && silentCommands.has(subtype));
}

/** A view, a partition, or what need not be there. */
function isElsewhere(
  { objtype, missing_ok }: AlterTableStmt,
  reference: TableReference,
  { state, draft }: StatementReading,
): boolean {
  const name = nameOfTable(reference);
  const isOther = objtype !== 'OBJECT_TABLE' || missing_ok === true;
  return isOther || state.partitions.has(name) || draft.views.has(name);
}

/** A table that is made first and becomes a partition then is none of its own. */
function attach(def: Node | undefined, { state, draft }: StatementReading): void {
  if (def === undefined || !('PartitionCmd' in def)) return;
  const reference = relationOf(def.PartitionCmd.name, state.namespaces);
  state.partitions.add(nameOfTable(reference));
  removeTable(draft, reference);
}

function createIndex(tree: IndexStmt, reading: StatementReading): boolean {
  const { state, draft, parsed, statement } = reading;
  const reference = relationOf(tree.relation, state.namespaces);
  const index = readIndexTree(tree, parsed);
  const lost = [...namesOf(tree.options), ...(tree.tableSpace ? ['tablespace'] : [])];
  if (lost.length > 0) leaveOut(statement, draft, `of the index ${index.name}: ${lost.join(', ')}`);
  const view = draft.views.get(nameOfTable(reference));
  if (view !== undefined) {
    draft.views.set(view.name, { ...view, indexes: [...view.indexes, index] });
    return true;
  }
  if (state.partitions.has(nameOfTable(reference))) return true;
  demandTable(draft, reference, parsed.cursor.offset);
  changeTable(draft, reference, (table) => ({ ...table, indexes: [...table.indexes, index] }));
  return true;
}

// Views

function createView(tree: ViewStmt, reading: StatementReading): boolean {
  const { state, draft, parsed, statement } = reading;
  const reference = relationOf(tree.view, state.namespaces);
  const end = tree.withCheckOption === 'NO_CHECK_OPTION' ? 0 : checkOptionLength(parsed);
  const lost = [...namesOf(tree.options), ...(end === 0 ? [] : ['its CHECK OPTION'])];
  if (lost.length > 0)
    leaveOut(statement, draft, `of the view ${nameOfTable(reference)}: ${lost.join(', ')}`);
  addView(draft, {
    reference,
    kind: 'view',
    definition: withColumns(selectText(parsed, end), tree.aliases),
  });
  return true;
}

/** WITH [CASCADED | LOCAL] CHECK OPTION */
function checkOptionLength({ cursor: { code } }: ParsedStatement): number {
  return code.at(-3)?.word === 'WITH' ? 3 : 4;
}

interface View {
  readonly reference: TableReference;
  readonly kind: 'view' | 'materialized_view';
  readonly definition: string;
}

function addView(draft: Draft, { reference, kind, definition }: View): void {
  draft.views.set(nameOfTable(reference), { ...emptyTable(reference), kind, definition });
}

/** What follows the first AS outside parentheses. */
function selectText({ cursor }: ParsedStatement, tokensBehind: number): string {
  let depth = 0;
  const as = cursor.code.findIndex(({ word }) => {
    if (word === '(') depth += 1;
    if (word === ')') depth -= 1;
    return word === 'AS' && depth === 0;
  });
  return textBetween(cursor, as + 1, cursor.code.length - tokensBehind);
}

/** Names that the view gives its columns are put around its query. */
function withColumns(select: string, aliases: readonly Node[] | undefined): string {
  const names = stringsOf(aliases).map((name) => `"${name.replaceAll('"', '""')}"`);
  return names.length === 0
    ? select
    : `SELECT * FROM (\n${select}\n) AS view (${names.join(', ')})`;
}

function createFromQuery(
  tree: CreateTableAsStmt,
  { state, draft, parsed }: StatementReading,
): boolean | 'data' {
  if (tree.objtype !== 'OBJECT_MATVIEW') return 'data';
  const { code } = parsed.cursor;
  const withData = code.at(-1)?.word === 'DATA' ? (code.at(-2)?.word === 'NO' ? 3 : 2) : 0;
  const reference = relationOf(tree.into?.rel, state.namespaces);
  addView(draft, {
    reference,
    kind: 'materialized_view',
    definition: withColumns(selectText(parsed, withData), tree.into?.colNames),
  });
  return true;
}

// Comments, names, settings

function rename(tree: RenameStmt, { state, draft, parsed, statement }: StatementReading): boolean {
  const reference = relationOf(tree.relation, state.namespaces);
  const { renameType, subname = '', newname = '' } = tree;
  const isOfTable = renameType === 'OBJECT_COLUMN' || renameType === 'OBJECT_TABLE';
  if (!isOfTable) {
    leaveOut(statement, draft);
    return true;
  }
  if (tree.missing_ok !== true) demandTable(draft, reference, parsed.cursor.offset);
  if (renameType === 'OBJECT_COLUMN')
    renameColumn(draft, reference, { from: subname, to: newname });
  else renameTable(draft, reference, { ...reference, localName: newname });
  return true;
}

/** Old dumps say by `search_path` where their tables are. */
function setVariable({ name, args }: VariableSetStmt, { namespaces }: FileState): boolean {
  if (name !== 'search_path') return true;
  const [first] = (args ?? []).map((node) =>
    'A_Const' in node ? (node.A_Const.sval?.sval ?? '') : '',
  );
  if (first !== undefined && first !== '' && first !== 'pg_catalog' && !first.startsWith('$'))
    namespaces.current = first;
  return true;
}

/** Sequences are made for the columns that take numbers from them. */
function createSequence({ sequence, options }: CreateSeqStmt, reading: StatementReading): boolean {
  const name = sequence?.relname;
  if (name === undefined) return true;
  const { sequences, numberings } = reading.state;
  sequences.set(name, reading.statement.line);
  const numbering = numberingOf(options);
  if (numbering !== undefined) numberings.set(name, numbering);
  return true;
}

/** OWNED BY says to which column a sequence belongs, which is made with it. */
function alterSequence(tree: AlterSeqStmt, { statement, draft, state }: StatementReading): boolean {
  const { options, sequence } = tree;
  const isOwnership = (options ?? []).every(
    (node) => 'DefElem' in node && node.DefElem.defname === 'owned_by',
  );
  if (isOwnership) state.sequences.delete(sequence?.relname ?? '');
  else leaveOut(statement, draft);
  return true;
}

/** What tables may lean on; that it is left out is said by whoever reads the file. */
function noteSurroundings(node: Node, { extensions, routines }: FileState): boolean {
  if ('CreateExtensionStmt' in node) extensions.add(node.CreateExtensionStmt.extname ?? '');
  if ('DefineStmt' in node) routines.add(stringsOf(node.DefineStmt.defnames).at(-1) ?? '');
  if ('CreateFunctionStmt' in node)
    routines.add(stringsOf(node.CreateFunctionStmt.funcname).at(-1) ?? '');
  return 'CreateSchemaStmt' in node;
}
