/** Applies a PostgreSQL statement to the draft of the schema. */
import { isStorageExtension } from '../dialect/distributed-table.ts';
import { DdlError, offsetOf } from '../../../sql/ddl/cursor.ts';
import { hasConstraint, renameColumn, renameTable } from '../../../sql/ddl/change-table.ts';
import { changeTable, findTable, nameOfTable } from '../../../sql/ddl/draft.ts';
import { requireTable, dropTable } from '../../../sql/ddl/read-script.ts';
import { warnOmitted } from '../../../sql/ddl/warn-omitted.ts';
import { createTable, namesOf, treeContext } from './create-table.ts';
import { readComment, readDrop } from './read-comment.ts';
import { readCommand, silentCommands } from './read-alter-tree.ts';
import { readLargeObjects } from './large-objects.ts';
import { readIndexTree } from './read-index-tree.ts';
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
  DefElem,
  IndexStmt,
  Node,
  RefreshMatViewStmt,
  RenameStmt,
  VariableSetStmt,
} from 'libpg-query';
import type { TableReference } from '../../../sql/ddl/draft.ts';
import type { FileState, StatementContext } from './statement-context.ts';

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

function alterTable(tree: AlterTableStmt, context: StatementContext): boolean {
  const { state, draft, parsed } = context;
  const reference = relationOf(tree.relation, state.namespaces);
  const commands = (tree.cmds ?? []).flatMap((node) =>
    'AlterTableCmd' in node ? [node.AlterTableCmd] : [],
  );
  const isOwner = commands.every(({ subtype }) => subtype === 'AT_ChangeOwner');
  const isTable = tree.objtype === 'OBJECT_TABLE' && findTable(draft, reference) !== undefined;
  if (tree.objtype === 'OBJECT_TABLE')
    for (const command of commands) changePartition(command, reference, context);
  if (isOwner) for (const { newowner } of commands) state.owners.add(newowner?.rolename ?? '');
  if (isOwner || commands.every(({ subtype }) => subtype === 'AT_AttachPartition')) return true;
  if (!isTable && areSilent(commands)) return true;
  if (!isTable && isNotTableOfFile(tree, reference, context)) {
    warnOmitted(context.statement, draft);
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
    line: context.statement.line,
    state,
    unvalidated: state.unvalidated,
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

/** The table stays in the draft, so that what only it has is known at the end. */
function changePartition(
  { subtype, def }: AlterTableCmd,
  parent: TableReference,
  { state, draft, statement }: StatementContext,
): void {
  if (def === undefined || !('PartitionCmd' in def)) return;
  const name = nameOfTable(relationOf(def.PartitionCmd.name, state.namespaces));
  if (subtype === 'AT_DetachPartition') state.partitions.delete(name);
  if (subtype !== 'AT_AttachPartition') return;
  const { line } = draft.tables.get(name)?.position ?? statement;
  state.partitions.set(name, { parent: nameOfTable(parent), line });
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
  if (state.partitions.has(nameOfTable(reference)) && findTable(draft, reference) === undefined) {
    warnOmitted(statement, draft, `the index ${index.name}`);
    return true;
  }
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
  const { routines, collations } = context.state;
  if ('DefineStmt' in node) {
    const { kind, defnames } = node.DefineStmt;
    (kind === 'OBJECT_COLLATION' ? collations : routines).add(stringsOf(defnames).at(-1) ?? '');
  }
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
function createNamespace(
  tree: CreateSchemaStmt,
  { state, parsed, statement }: StatementContext,
): boolean {
  if ((tree.schemaElts ?? []).length > 0)
    throw new DdlError(
      'CREATE SCHEMA with statements in it is not supported. Write them as separate statements.',
      offsetOf(parsed.cursor),
    );
  state.owners.add(tree.authrole?.rolename ?? '');
  state.createdNamespaces.set(tree.schemaname ?? '', statement.line);
  return true;
}
