/** What one statement of PostgreSQL's makes of the draft. */
import { DdlError, offsetOf } from '../../../sql/ddl/cursor.ts';
import { renameColumn, renameTable } from '../../../sql/ddl/change-table.ts';
import { changeTable, findTable, nameOfTable, removeTable } from '../../../sql/ddl/draft.ts';
import { addTable, requireTable, dropTable, leaveOut } from '../../../sql/ddl/read-script.ts';
import { tableOf } from '../../../sql/ddl/read-table.ts';
import { newBody, withConstraints } from '../../../sql/ddl/table-body.ts';
import { readComment, readDrop } from './read-comment.ts';
import { readCommand, silentCommands } from './read-alter-tree.ts';
import { readIndexTree } from './read-index-tree.ts';
import { readColumnTree, readConstraintTree } from './read-table-tree.ts';
import { takeOver } from './read-like-tree.ts';
import { readTypes } from './read-own-types.ts';
import { createFromQuery, createView } from './read-view-tree.ts';
import { unreadClauses } from './unread-clauses.ts';
import { relationOf, stringsOf, usualNamespace } from './tree-names.ts';
import { numberingOf } from './read-numbering.ts';
import type {
  AlterSeqStmt,
  AlterTableCmd,
  AlterTableStmt,
  CreateExtensionStmt,
  CreateSchemaStmt,
  CreateSeqStmt,
  CreateStmt,
  DefElem,
  IndexStmt,
  Node,
  RenameStmt,
  VariableSetStmt,
} from 'libpg-query';
import type { Column, Table } from '../../../model/schema.ts';
import type { SchemaDraft, TableReference } from '../../../sql/ddl/draft.ts';
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
  return readTypes(node, reading) || noteSurroundings(node, reading);
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
    body: { ...newBody(reference, undefined as never, warn), notNull: [] },
  };
}

function createTable(tree: CreateStmt, reading: StatementReading): boolean {
  const { state, draft, statement } = reading;
  const reference = relationOf(tree.relation, state.namespaces);
  if (tree.relation?.relpersistence === 't') {
    leaveOut(statement, draft, `the temporary table ${nameOfTable(reference)}`);
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
  for (const clause of unreadClauses(reading.parsed.node)) part.body.warn(`${clause} is left out.`);
  const made = tableOf({ ...part.body, rules: undefined as never });
  const table: Table = {
    ...made,
    columns: withNotNull(made.columns, part.body.notNull),
    ...withConstraints(optionsOf(tree, part), part.body),
  };
  const { line, column } = statement;
  addTable(draft, { table, position: { line, column } }, tree.if_not_exists === true);
  return true;
}

function readElement(element: Node, part: TreeReading, draft: SchemaDraft): void {
  if ('ColumnDef' in element) readColumnTree(element.ColumnDef, part);
  else if ('Constraint' in element) readConstraintTree(element.Constraint, part);
  else if ('TableLikeClause' in element) {
    const like = relationOf(element.TableLikeClause.relation, part.namespaces);
    takeOver(
      requireTable(draft, like, offsetOf(part.parsed.cursor)),
      element.TableLikeClause.options ?? 0,
      part,
    );
  }
}

function withNotNull(columns: readonly Column[], names: readonly string[]): readonly Column[] {
  return columns.map((column) =>
    names.includes(column.name) ? { ...column, nullable: false } : column,
  );
}

/** The columns of a parent come first, as they would be there. */
function inherit(tree: CreateStmt, part: TreeReading, draft: SchemaDraft): void {
  for (const node of tree.inhRelations ?? []) {
    if (!('RangeVar' in node)) continue;
    const reference = relationOf(node.RangeVar, part.namespaces);
    const parent = findTable(draft, reference);
    part.body.columns.push(...(parent?.columns ?? []));
    part.body.checks.push(...(parent?.checks ?? []));
    const what = parent === undefined ? 'has none of its columns' : 'has its columns';
    part.body.warn(`it does not inherit from ${nameOfTable(reference)}, and ${what}.`);
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
  if (!isTable && commands.every(onlyRemoves)) {
    dropTable(draft, reference, reading.statement);
    return true;
  }
  requireTable(draft, reference, parsed.cursor.offset);
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

/** `pg_dump --clean` removes keys and defaults of the tables that it then drops. */
function onlyRemoves({ subtype, def }: AlterTableCmd): boolean {
  return subtype === 'AT_DropConstraint' || (subtype === 'AT_ColumnDefault' && def === undefined);
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
  lost.push(...unreadClauses(parsed.node));
  for (const clause of lost) leaveOut(statement, draft, `${clause} of the index ${index.name}`);
  const view = draft.views.get(nameOfTable(reference));
  if (view !== undefined) {
    draft.views.set(view.name, { ...view, indexes: [...view.indexes, index] });
    return true;
  }
  if (state.partitions.has(nameOfTable(reference))) return true;
  requireTable(draft, reference, parsed.cursor.offset);
  changeTable(draft, reference, (table) => ({ ...table, indexes: [...table.indexes, index] }));
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
  if (tree.missing_ok !== true) requireTable(draft, reference, parsed.cursor.offset);
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
function noteSurroundings(node: Node, reading: StatementReading): boolean {
  const { routines } = reading.state;
  if ('DefineStmt' in node) routines.add(stringsOf(node.DefineStmt.defnames).at(-1) ?? '');
  if ('CreateFunctionStmt' in node)
    routines.add(stringsOf(node.CreateFunctionStmt.funcname).at(-1) ?? '');
  if ('CreateExtensionStmt' in node) return createExtension(node.CreateExtensionStmt, reading);
  if ('CreateForeignTableStmt' in node) {
    const { relname = '' } = node.CreateForeignTableStmt.base?.relation ?? {};
    leaveOut(reading.statement, reading.draft, `the foreign table ${relname}`);
    return true;
  }
  return 'CreateSchemaStmt' in node && createNamespace(node.CreateSchemaStmt, reading);
}

/** PostgreSQL makes the extension itself; another database names it as left out. */
function createExtension(tree: CreateExtensionStmt, reading: StatementReading): boolean {
  const { extname = '', options } = tree;
  reading.state.extensions.add(extname);
  const lost = (options ?? []).filter((node) => !('DefElem' in node) || !isDefault(node.DefElem));
  for (const option of namesOf(lost))
    leaveOut(reading.statement, reading.draft, `the option ${option} of the extension ${extname}`);
  return true;
}

/** `CASCADE`, `WITH SCHEMA public` */
function isDefault({ defname, arg }: DefElem): boolean {
  const isPublic = arg !== undefined && 'String' in arg && arg.String.sval === usualNamespace;
  return defname === 'cascade' || (defname === 'schema' && isPublic);
}

/** A namespace is made with the tables in it. */
function createNamespace(tree: CreateSchemaStmt, { state, parsed }: StatementReading): boolean {
  if ((tree.schemaElts ?? []).length > 0)
    throw new DdlError(
      'CREATE SCHEMA with statements in it is not read: write them as statements of their own.',
      offsetOf(parsed.cursor),
    );
  state.owners.add(tree.authrole?.rolename ?? '');
  return true;
}
