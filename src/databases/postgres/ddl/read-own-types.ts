/** Reads CREATE TYPE and CREATE DOMAIN. */
import { warnOmitted as leaveStatementOut } from '../../../sql/ddl/warn-omitted.ts';
import { groupAfter, expressionUntil } from './slice.ts';
import { constraintsOf, readColumnTree } from './read-table-tree.ts';
import { domainOf, readTypeName } from './read-type-name.ts';
import { treeContext } from './create-table.ts';
import { relationOf, stringsOf } from './tree-names.ts';
import { unsupportedClauses } from './unsupported-clauses.ts';
import type {
  AlterEnumStmt,
  CompositeTypeStmt,
  CreateDomainStmt,
  CreateEnumStmt,
  Node,
} from 'libpg-query';
import type { StatementContext } from './statement-context.ts';

/** Returns whether the statement was about a type. */
export function readTypes(node: Node, context: StatementContext): boolean {
  if ('CreateEnumStmt' in node) createEnum(node.CreateEnumStmt, context);
  else if ('AlterEnumStmt' in node) alterEnum(node.AlterEnumStmt, context);
  else if ('CreateDomainStmt' in node) createDomain(node.CreateDomainStmt, context);
  else if ('CompositeTypeStmt' in node) createCompositeType(node.CompositeTypeStmt, context);
  else if ('CreateRangeStmt' in node)
    leaveOut(stringsOf(node.CreateRangeStmt.typeName).at(-1) ?? '', context);
  else return false;
  return true;
}

function warn({ statement, draft }: StatementContext, warning: string): void {
  draft.warnings.push(`Line ${statement.line}: ${warning}`);
}

function leaveOut(name: string, context: StatementContext): void {
  context.state.otherTypes.add(name);
  warn(context, `the type ${name} is left out.`);
}

/** Its columns are those of tables of the type. */
function createCompositeType(
  { typevar, coldeflist = [] }: CompositeTypeStmt,
  context: StatementContext,
): void {
  const { relname = '' } = typevar ?? {};
  const tableContext = treeContext(relationOf(typevar, context.state.namespaces), context);
  for (const node of coldeflist)
    if ('ColumnDef' in node) readColumnTree(node.ColumnDef, tableContext);
  context.state.compositeTypes.set(relname, tableContext.body.columns);
  leaveOut(relname, context);
}

function createEnum({ typeName, vals }: CreateEnumStmt, { state, draft }: StatementContext): void {
  const names = stringsOf(typeName);
  const name = names.at(-1) ?? '';
  const namespace = names.at(-2) ?? state.namespaces.current;
  const createdEnum = {
    name,
    ...(namespace === state.namespaces.home ? {} : { namespace }),
    values: stringsOf(vals),
  };
  state.types.enums.set(name, createdEnum);
  draft.enums.push(createdEnum);
}

/** Adds or renames a value, also in columns of the type that exist already. */
function alterEnum(tree: AlterEnumStmt, { state, draft, statement }: StatementContext): void {
  const name = stringsOf(tree.typeName).at(-1) ?? '';
  const old = state.types.enums.get(name);
  const exists = tree.oldVal === undefined || old?.values.includes(tree.oldVal) === true;
  if (old === undefined || tree.newVal === undefined || !exists) {
    leaveStatementOut(statement, draft);
    return;
  }
  if (tree.oldVal === undefined && old.values.includes(tree.newVal)) return;
  const values = [...old.values];
  const beside = values.indexOf(tree.newValNeighbor ?? '');
  if (tree.oldVal !== undefined) values[values.indexOf(tree.oldVal)] = tree.newVal;
  else if (beside === -1) values.push(tree.newVal);
  else values.splice(beside + (tree.newValIsAfter === true ? 1 : 0), 0, tree.newVal);
  const changedEnum = { ...old, values };
  state.types.enums.set(name, changedEnum);
  draft.enums[draft.enums.indexOf(old)] = changedEnum;
  for (const [key, each] of draft.tables) {
    const columns = each.table.columns.map((column) =>
      column.type.kind === 'enum' && column.type.name === name
        ? { ...column, type: { ...column.type, values } }
        : column,
    );
    draft.tables.set(key, { ...each, table: { ...each.table, columns } });
  }
}

/** Columns of a domain get its base type and its checks. */
function createDomain(tree: CreateDomainStmt, context: StatementContext): void {
  const { parsed, state } = context;
  const { cursor, tokenAt } = parsed;
  const name = stringsOf(tree.domainname).at(-1) ?? '';
  for (const clause of unsupportedClauses(parsed.node))
    warn(context, `${clause} of the domain ${name} is left out.`);
  const constraints = constraintsOf(tree.constraints);
  const clauses = constraints.map(({ location }) => tokenAt(location));
  const from = tokenAt(tree.typeName?.location);
  const base = readTypeName(
    tree.typeName ?? {},
    state.types,
    expressionUntil(cursor, from, clauses),
  );
  const defaultConstraint = constraints.find(({ contype }) => contype === 'CONSTR_DEFAULT');
  const expression =
    defaultConstraint === undefined
      ? undefined
      : expressionUntil(cursor, tokenAt(defaultConstraint.location) + 1, clauses);
  const inner = domainOf(tree.typeName ?? {}, state.types);
  const defaultText = expression ?? inner?.default;
  const isRequired = constraints.some(({ contype }) => contype === 'CONSTR_NOTNULL');
  const checks = constraints
    .filter(({ contype }) => contype === 'CONSTR_CHECK')
    .map(({ location }) => groupAfter(cursor, tokenAt(location), 'CHECK'));
  state.types.domains.set(name, {
    name,
    base,
    nullable: !isRequired && inner?.nullable !== false,
    ...(defaultText === undefined ? {} : { default: defaultText }),
    checks: [...(inner?.checks ?? []), ...checks],
  });
  warn(
    context,
    `the domain ${name} is left out: its columns are ${base.nativeType} with its checks.`,
  );
}
