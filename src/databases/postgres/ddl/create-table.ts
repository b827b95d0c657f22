/** Applies CREATE TABLE of PostgreSQL to the draft of the schema. */
import { offsetOf } from '../../../sql/ddl/cursor.ts';
import { findTable, nameOfTable } from '../../../sql/ddl/draft.ts';
import { addTable, requireTable } from '../../../sql/ddl/read-script.ts';
import { warnOmitted } from '../../../sql/ddl/warn-omitted.ts';
import { tableOf } from '../../../sql/ddl/read-table.ts';
import { newBody, withConstraints } from '../../../sql/ddl/table-body.ts';
import { readColumnTree, readConstraintTree } from './read-table-tree.ts';
import { copyLike } from './read-like-tree.ts';
import { unsupportedClauses } from './unsupported-clauses.ts';
import { relationOf, stringsOf } from './tree-names.ts';
import type { CreateStmt, Node } from 'libpg-query';
import type { Column, Table } from '../../../model/schema.ts';
import type { SchemaDraft, TableReference } from '../../../sql/ddl/draft.ts';
import type { StatementContext } from './statement-context.ts';
import type { TreeContext } from './read-table-tree.ts';

export function treeContext(reference: TableReference, context: StatementContext): TreeContext {
  const { parsed, state, draft, statement } = context;
  const warn = (warning: string): void =>
    void draft.warnings.push(`Line ${statement.line}: ${reference.localName}: ${warning}`);
  return {
    parsed,
    types: state.types,
    namespaces: state.namespaces,
    body: {
      ...newBody(reference, undefined as never, warn),
      notNull: [],
      notInherited: state.notInherited,
    },
  };
}

export function createTable(tree: CreateStmt, context: StatementContext): boolean {
  const { state, draft, statement } = context;
  const reference = relationOf(tree.relation, state.namespaces);
  if (tree.relation?.relpersistence === 't') {
    warnOmitted(statement, draft, `the temporary table ${nameOfTable(reference)}`);
    return true;
  }
  if (tree.partbound !== undefined) return createPartition(tree, reference, context);
  const type = typeOf(tree);
  if (type !== undefined && !state.compositeTypes.has(type)) {
    const name = nameOfTable(reference);
    warnOmitted(
      statement,
      draft,
      `the table ${name}, whose type ${type} the file does not create,`,
    );
    return true;
  }
  const tableContext = treeContext(reference, context);
  inherit(tree, tableContext, draft);
  for (const element of tree.tableElts ?? []) readElement(element, tableContext, draft);
  for (const clause of unsupportedClauses(context.parsed.node))
    tableContext.body.warn(`${clause} is left out.`);
  const parsedTable = tableOf({ ...tableContext.body, rules: undefined as never });
  const table: Table = {
    ...parsedTable,
    columns: withNotNull(
      columnsOfType(tree, parsedTable.columns, { state, body: tableContext.body }),
      tableContext.body.notNull,
    ),
    ...withConstraints(optionsOf(tree, tableContext), tableContext.body),
  };
  const { line, column } = statement;
  addTable(draft, { table, position: { line, column } }, tree.if_not_exists === true);
  return true;
}

/** It begins with the columns and checks of its parent. */
function createPartition(
  tree: CreateStmt,
  reference: TableReference,
  context: StatementContext,
): boolean {
  const { state, draft, parsed, statement } = context;
  const { line, column } = statement;
  const [node] = tree.inhRelations ?? [];
  const range = node !== undefined && 'RangeVar' in node ? node.RangeVar : undefined;
  const parentReference = relationOf(range, state.namespaces);
  state.partitions.set(nameOfTable(reference), { parent: nameOfTable(parentReference), line });
  const parent = findTable(draft, parentReference);
  if (parent === undefined) return true;
  const tableContext = treeContext(reference, context);
  for (const element of tree.tableElts ?? []) readElement(element, tableContext, draft);
  const { body } = tableContext;
  for (const clause of unsupportedClauses(parsed.node)) body.warn(`${clause} is left out.`);
  for (const name of namesOf(tree.options)) body.warn(`its storage parameter ${name} is left out.`);
  const own = tableOf({ ...body, rules: undefined as never });
  const columns = withOwnClauses(
    parent.columns.map(({ comment: _comment, ...inherited }) => inherited),
    own.columns,
  );
  const table: Table = {
    ...own,
    columns: withNotNull(columns, body.notNull),
    checks: [...parent.checks, ...own.checks],
    ...withConstraints(persistenceOf(tree), body),
  };
  addTable(draft, { table, position: { line, column } }, tree.if_not_exists === true);
  return true;
}

/** Columns that a partition or a table of a type lists have no types, and only clauses of their own. */
function withOwnClauses(
  columns: readonly Column[],
  ownColumns: readonly Column[],
): readonly Column[] {
  return columns.map((column) => {
    const own = ownColumns.find(({ name }) => name === column.name);
    if (own === undefined) return column;
    const { name: _name, type: _type, nativeType: _nativeType, nullable, ...clauses } = own;
    return { ...column, ...clauses, nullable: nullable && column.nullable };
  });
}

/** The columns of `CREATE TABLE … OF type` are those of the composite type, which is left out. */
function columnsOfType(
  tree: CreateStmt,
  ownColumns: readonly Column[],
  { state, body }: Pick<TreeContext, 'body'> & Pick<StatementContext, 'state'>,
): readonly Column[] {
  const type = typeOf(tree);
  if (type === undefined) return ownColumns;
  body.warn(`it has the columns of the type ${type}, which is left out.`);
  return withOwnClauses(state.compositeTypes.get(type) ?? [], ownColumns);
}

/** The name of the type in `CREATE TABLE … OF type`. */
function typeOf({ ofTypename }: CreateStmt): string | undefined {
  return ofTypename === undefined ? undefined : (stringsOf(ofTypename.names).at(-1) ?? '');
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
    const { checks, notInherited } = tableContext.body;
    checks.push(...(parent?.checks ?? []).filter((check) => !notInherited.has(check)));
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
  return persistenceOf(tree);
}

function persistenceOf({ relation }: CreateStmt): Pick<Table, 'options'> {
  return relation?.relpersistence === 'u' ? { options: { persistence: 'unlogged' } } : {};
}

export function namesOf(options: readonly Node[] | undefined): readonly string[] {
  return (options ?? []).flatMap((node) =>
    'DefElem' in node ? [node.DefElem.defname ?? 'one without a name'] : [],
  );
}
