/** Applies a PostgreSQL statement to the draft of the schema. */
import { isStorageExtension } from '../dialect/distributed-table.ts';
import { DdlError, offsetOf } from '../../../sql/ddl/cursor.ts';
import { hasConstraint, renameColumn, renameTable } from '../../../sql/ddl/change-table.ts';
import { changeTable, findTable, nameOfTable, removeTable } from '../../../sql/ddl/draft.ts';
import { addTable, requireTable, dropTable } from '../../../sql/ddl/read-script.ts';
import { warnOmitted } from '../../../sql/ddl/warn-omitted.ts';
import { tableOf } from '../../../sql/ddl/read-table.ts';
import { newBody, withConstraints } from '../../../sql/ddl/table-body.ts';
import { readComment, readDrop } from './read-comment.ts';
import { readCommand, silentCommands } from './read-alter-tree.ts';
import { readLargeObjects } from './large-objects.ts';
import { readIndexTree } from './read-index-tree.ts';
import { readColumnTree, readConstraintTree } from './read-table-tree.ts';
import { copyLike } from './read-like-tree.ts';
import { readTypes } from './read-own-types.ts';
import { createFromQuery, createView } from './read-view-tree.ts';
import { unsupportedClauses } from './unsupported-clauses.ts';
import { listOf, referenceTo, relationOf, stringsOf } from './tree-names.ts';
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
  RefreshMatViewStmt,
  RenameStmt,
  VariableSetStmt,
} from 'libpg-query';
import type { Column, Table } from '../../../model/schema.ts';
import type { SchemaDraft, TableReference } from '../../../sql/ddl/draft.ts';
import type { FileState, StatementContext } from './statement-context.ts';
import type { TreeContext } from './read-table-tree.ts';

/** Returns whether the statement was structure and was applied; `data` if it creates rows. */
export function readStatement(context: StatementContext): boolean | 'data' {
  const { node } = context.parsed;
  if (readLargeObjects(context)) return true;
  if ('CreateStmt' in node) return createTable(node.CreateStmt, context);
  if ('AlterTableStmt' in node) return alterTable(node.AlterTableStmt, context);
  if ('IndexStmt' in node) return createIndex(node.IndexStmt, context);
  if ('ViewStmt' in node) return createView(node.ViewStmt, context);
  if ('CreateTableAsStmt' in node) return createFromQuery(node.CreateTableAsStmt, context);
  if ('RefreshMatViewStmt' in node) return refreshView(node.RefreshMatViewStmt, context);
  if ('CommentStmt' in node) return readComment(node.CommentStmt, context);
  if ('DropStmt' in node) return readDrop(node.DropStmt, context);
  if ('RenameStmt' in node) return rename(node.RenameStmt, context);
  if ('VariableSetStmt' in node) return setVariable(node.VariableSetStmt, context.state);
  if ('CreateSeqStmt' in node) return createSequence(node.CreateSeqStmt, context);
  if ('AlterSeqStmt' in node) return alterSequence(node.AlterSeqStmt, context);
  if ('AlterOwnerStmt' in node) {
    context.state.owners.add(node.AlterOwnerStmt.newowner?.rolename ?? '');
    return true;
  }
  return readTypes(node, context) || readExternalObjects(node, context);
}

/** Its view is computed after the rows anyway. */
function refreshView(tree: RefreshMatViewStmt, { draft, state }: StatementContext): true | 'data' {
  const name = nameOfTable(relationOf(tree.relation, state.namespaces));
  if (draft.views.get(name)?.kind !== 'materialized_view') return 'data';
  // Of the CREATE, which dumps write WITH NO DATA.
  const unfilled = draft.warnings.findIndex((text) => text.endsWith(`: WITH NO DATA of the view ${name} is left out.`)); // prettier-ignore
  if (unfilled >= 0) draft.warnings.splice(unfilled, 1);
  return true;
}

// Tables

function treeContext(reference: TableReference, context: StatementContext): TreeContext {
  const { parsed, state, draft, statement } = context;
  const warn = (warning: string): void =>
    void draft.warnings.push(`Line ${statement.line}: ${reference.localName}: ${warning}`);
  return {
    parsed,
    types: state.types,
    namespaces: state.namespaces,
    body: { ...newBody(reference, undefined as never, warn), notNull: [] },
  };
}

function createTable(tree: CreateStmt, context: StatementContext): boolean {
  const { state, draft, statement } = context;
  const reference = relationOf(tree.relation, state.namespaces);
  if (tree.relation?.relpersistence === 't') {
    warnOmitted(statement, draft, `the temporary table ${nameOfTable(reference)}`);
    return true;
  }
  if (tree.partbound !== undefined) {
    state.partitions.add(nameOfTable(reference));
    return true;
  }
  const tableContext = treeContext(reference, context);
  if (tree.ofTypename !== undefined) {
    tableContext.body.warn('it is left out, because it is a table of a composite type.');
    return true;
  }
  inherit(tree, tableContext, draft);
  for (const element of tree.tableElts ?? []) readElement(element, tableContext, draft);
  for (const clause of unsupportedClauses(context.parsed.node))
    tableContext.body.warn(`${clause} is left out.`);
  const parsedTable = tableOf({ ...tableContext.body, rules: undefined as never });
  const table: Table = {
    ...parsedTable,
    columns: withNotNull(parsedTable.columns, tableContext.body.notNull),
    ...withConstraints(optionsOf(tree, tableContext), tableContext.body),
  };
  const { line, column } = statement;
  addTable(draft, { table, position: { line, column } }, tree.if_not_exists === true);
  return true;
}

function readElement(element: Node, tableContext: TreeContext, draft: SchemaDraft): void {
  if ('ColumnDef' in element) readColumnTree(element.ColumnDef, tableContext);
  else if ('Constraint' in element) readConstraintTree(element.Constraint, tableContext);
  else if ('TableLikeClause' in element) {
    const like = relationOf(element.TableLikeClause.relation, tableContext.namespaces);
    copyLike(
      requireTable(draft, like, offsetOf(tableContext.parsed.cursor)),
      element.TableLikeClause.options ?? 0,
      tableContext,
    );
  }
}

function withNotNull(columns: readonly Column[], names: readonly string[]): readonly Column[] {
  return columns.map((column) =>
    names.includes(column.name) ? { ...column, nullable: false } : column,
  );
}

/** Inheritance is not supported: the table gets copies of its parents' columns, which come first. */
function inherit(tree: CreateStmt, tableContext: TreeContext, draft: SchemaDraft): void {
  for (const node of tree.inhRelations ?? []) {
    if (!('RangeVar' in node)) continue;
    const reference = relationOf(node.RangeVar, tableContext.namespaces);
    const parent = findTable(draft, reference);
    tableContext.body.columns.push(...(parent?.columns ?? []));
    tableContext.body.checks.push(...(parent?.checks ?? []));
    const columnsText = parent === undefined ? 'has none of its columns' : 'has its columns';
    tableContext.body.warn(
      `it does not inherit from ${nameOfTable(reference)}, and ${columnsText}.`,
    );
  }
}

function optionsOf(tree: CreateStmt, { body }: TreeContext): Pick<Table, 'options'> {
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

function alterTable(tree: AlterTableStmt, context: StatementContext): boolean {
  const { state, draft, parsed } = context;
  const reference = relationOf(tree.relation, state.namespaces);
  const commands = (tree.cmds ?? []).flatMap((node) =>
    'AlterTableCmd' in node ? [node.AlterTableCmd] : [],
  );
  const isOwner = commands.every(({ subtype }) => subtype === 'AT_ChangeOwner');
  const isTable = tree.objtype === 'OBJECT_TABLE' && findTable(draft, reference) !== undefined;
  for (const { def } of commands) attachPartition(def, context);
  if (isOwner) for (const { newowner } of commands) state.owners.add(newowner?.rolename ?? '');
  if (isOwner || commands.every(({ subtype }) => subtype === 'AT_AttachPartition')) return true;
  if (!isTable && areSilent(commands)) return true;
  if (!isTable && isNotTableOfFile(tree, reference, context)) {
    if (!state.partitions.has(nameOfTable(reference))) warnOmitted(context.statement, draft);
    return true;
  }
  if (!isTable && commands.every(onlyRemoves)) {
    dropTable(draft, reference, context.statement);
    return true;
  }
  requireTable(draft, reference, parsed.cursor.offset);
  const alter = {
    ...treeContext(reference, context),
    draft,
    reference,
    owners: state.owners,
    defaults: 0,
  };
  for (const command of commands) readCommand(command, alter);
  return true;
}

/** `pg_dump --clean` drops constraints and defaults of the tables that it drops afterwards. */
function onlyRemoves({ subtype, def }: AlterTableCmd): boolean {
  return subtype === 'AT_DropConstraint' || (subtype === 'AT_ColumnDefault' && def === undefined);
}

function areSilent(commands: readonly AlterTableCmd[]): boolean {
  return commands.every(({ subtype }) => subtype !== undefined && silentCommands.has(subtype));
}

/** The object is a view, a partition, or altered with IF EXISTS. */
function isNotTableOfFile(
  { objtype, missing_ok }: AlterTableStmt,
  reference: TableReference,
  { state, draft }: StatementContext,
): boolean {
  const name = nameOfTable(reference);
  const isOther = objtype !== 'OBJECT_TABLE' || missing_ok === true;
  return isOther || state.partitions.has(name) || draft.views.has(name);
}

/** A table that is attached as a partition is removed, because partitions are not imported. */
function attachPartition(def: Node | undefined, { state, draft }: StatementContext): void {
  if (def === undefined || !('PartitionCmd' in def)) return;
  const reference = relationOf(def.PartitionCmd.name, state.namespaces);
  state.partitions.add(nameOfTable(reference));
  removeTable(draft, reference);
}

function createIndex(tree: IndexStmt, context: StatementContext): boolean {
  const { state, draft, parsed, statement } = context;
  const reference = relationOf(tree.relation, state.namespaces);
  const index = readIndexTree(tree, parsed);
  const unsupported = [...namesOf(tree.options), ...(tree.tableSpace ? ['tablespace'] : [])];
  unsupported.push(...unsupportedClauses(parsed.node));
  for (const clause of unsupported)
    warnOmitted(statement, draft, `${clause} of the index ${index.name}`);
  const view = draft.views.get(nameOfTable(reference));
  if (view !== undefined) {
    draft.views.set(view.name, { ...view, indexes: [...view.indexes, index] });
    return true;
  }
  if (state.partitions.has(nameOfTable(reference))) return true;
  requireTable(draft, reference, parsed.cursor.offset);
  // Indexes of all tables of a schema share its names.
  const exists = [...draft.tables.values()].some(
    ({ table }) => table.namespace === reference.namespace && hasConstraint(table, index.name),
  );
  if (tree.if_not_exists === true && exists) return true;
  changeTable(draft, reference, (each) => ({ ...each, indexes: [...each.indexes, index] }));
  return true;
}

// Comments, names, settings

function rename(tree: RenameStmt, { state, draft, parsed, statement }: StatementContext): boolean {
  const reference = relationOf(tree.relation, state.namespaces);
  const { renameType, subname = '', newname = '' } = tree;
  const isOfTable = renameType === 'OBJECT_COLUMN' || renameType === 'OBJECT_TABLE';
  if (!isOfTable) {
    warnOmitted(statement, draft);
    return true;
  }
  const at = parsed.cursor.offset;
  if (tree.missing_ok !== true) requireTable(draft, reference, at);
  if (renameType === 'OBJECT_COLUMN')
    renameColumn(draft, reference, { from: subname, to: newname, at });
  else renameTable(draft, { from: reference, to: { ...reference, localName: newname }, at });
  return true;
}

/** Old dumps set `search_path` to the schema of the tables that follow. */
function setVariable({ name, args }: VariableSetStmt, { namespaces }: FileState): boolean {
  if (name !== 'search_path') return true;
  const [first] = (args ?? []).map((node) =>
    'A_Const' in node ? (node.A_Const.sval?.sval ?? '') : '',
  );
  if (first !== undefined && first !== '' && first !== 'pg_catalog' && !first.startsWith('$'))
    namespaces.current = first;
  return true;
}

/** Sequences are created with the columns that use them. */
function createSequence({ sequence, options }: CreateSeqStmt, context: StatementContext): boolean {
  const name = sequence?.relname;
  if (name === undefined) return true;
  const { sequences, numberings } = context.state;
  const reference = relationOf(sequence, context.state.namespaces);
  sequences.set(name, { line: context.statement.line, reference });
  numberings.set(name, numberingOf(options));
  return true;
}

/** A sequence with OWNED BY is created with its column, if that draws from it. */
function alterSequence(tree: AlterSeqStmt, { statement, draft, state }: StatementContext): boolean {
  const { options = [], sequence } = tree;
  const owners = options.flatMap((node) =>
    'DefElem' in node && node.DefElem.defname === 'owned_by' ? [listOf(node.DefElem.arg)] : [],
  );
  const [path] = owners;
  if (path === undefined || owners.length < options.length) {
    warnOmitted(statement, draft);
    return true;
  }
  const name = sequence?.relname ?? '';
  const found = state.sequences.get(name);
  const [table, column] = [path.slice(0, -1), path.at(-1)];
  if (found === undefined || column === undefined) return true;
  const { owner: _old, ...unowned } = found;
  const { line } = statement;
  // OWNED BY NONE is one word.
  const owner = { line, table: referenceTo(table, state.namespaces), column };
  state.sequences.set(name, table.length === 0 ? unowned : { ...unowned, owner });
  return true;
}

/** Objects that tables may depend on. The caller warns that they are left out. */
function readExternalObjects(node: Node, context: StatementContext): boolean {
  const { routines } = context.state;
  if ('DefineStmt' in node) routines.add(stringsOf(node.DefineStmt.defnames).at(-1) ?? '');
  if ('CreateFunctionStmt' in node)
    routines.add(stringsOf(node.CreateFunctionStmt.funcname).at(-1) ?? '');
  if ('CreateExtensionStmt' in node) return createExtension(node.CreateExtensionStmt, context);
  if ('CreateForeignTableStmt' in node) {
    const { relname = '' } = node.CreateForeignTableStmt.base?.relation ?? {};
    warnOmitted(context.statement, context.draft, `the foreign table ${relname}`);
    return true;
  }
  return 'CreateSchemaStmt' in node && createNamespace(node.CreateSchemaStmt, context);
}

/** The extension is created if the target is PostgreSQL; otherwise a warning says that it is left out. */
function createExtension(tree: CreateExtensionStmt, context: StatementContext): boolean {
  const { extname = '', options } = tree;
  if (isStorageExtension(extname)) {
    warnOmitted(context.statement, context.draft, `the extension ${extname}`);
    return true;
  }
  context.state.extensions.set(extname, namespaceOf(options));
  const unsupported = (options ?? []).filter(
    (node) => !('DefElem' in node) || !isDefaultOption(node.DefElem),
  );
  for (const option of namesOf(unsupported))
    warnOmitted(
      context.statement,
      context.draft,
      `the option ${option} of the extension ${extname}`,
    );
  return true;
}

/** `CASCADE`, `WITH SCHEMA app` */
function isDefaultOption({ defname }: DefElem): boolean {
  return defname === 'cascade' || defname === 'schema';
}

function namespaceOf(options: readonly Node[] | undefined): string | undefined {
  const [name] = (options ?? []).flatMap((node) =>
    'DefElem' in node && node.DefElem.defname === 'schema' ? stringsOf([node.DefElem.arg!]) : [],
  );
  return name;
}

/** Namespaces are created with the tables in them. */
function createNamespace(tree: CreateSchemaStmt, { state, parsed }: StatementContext): boolean {
  if ((tree.schemaElts ?? []).length > 0)
    throw new DdlError(
      'CREATE SCHEMA with statements in it is not supported. Write them as separate statements.',
      offsetOf(parsed.cursor),
    );
  state.owners.add(tree.authrole?.rolename ?? '');
  state.createdNamespaces.add(tree.schemaname ?? '');
  return true;
}
