/** Reads CREATE TABLE and its parts from the parse tree. */
import { foreignKeyActions } from '../dialect/foreign-key-actions.ts';
import { offsetOf } from '../../../sql/ddl/cursor.ts';
import { nameOfTable } from '../../../sql/ddl/draft.ts';
import { setPrimaryKey } from '../../../sql/ddl/table-body.ts';
import { expressionUntil, groupAfter } from './slice.ts';
import { sequenceOptionsOf } from './read-numbering.ts';
import { domainOf, readTypeName } from './read-type-name.ts';
import { relationOf, stringsOf } from './tree-names.ts';
import { withValueNamed } from '../dialect/with-value-named.ts';
import type { ColumnDef, Constraint, Node } from 'libpg-query';
import { postgresQuoteName } from '../dialect/quote.ts';
import type { TableReference } from '../../../sql/ddl/draft.ts';
import type { Check, Column, ForeignKey, Index } from '../../../model/schema.ts';
import type { TableBody } from '../../../sql/ddl/ddl-rules.ts';
import type { ParsedStatement } from '../language/parse-statement.ts';
import type { OwnTypes } from './read-type-name.ts';
import type { Namespaces } from './tree-names.ts';

export interface TreeBody extends Omit<TableBody, 'rules'> {
  /** Columns with a NOT NULL table constraint. */
  readonly notNull: string[];
  /** Checks of all tables with NO INHERIT, which the tables that inherit do not get. */
  readonly notInherited: WeakSet<Check>;
}

/** The context for reading a part of a table. */
export interface TreeContext {
  readonly parsed: ParsedStatement;
  readonly types: OwnTypes;
  readonly namespaces: Namespaces;
  readonly body: TreeBody;
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

interface ColumnTree extends TreeContext {
  readonly tree: ColumnDef;
  readonly column: Mutable<Column>;
  /** The token indexes at which clauses of this column begin. */
  readonly clauses: readonly number[];
  /** The last constraint, which following attributes such as DEFERRABLE belong to. */
  last: Constraint['contype'];
}

export function readColumnTree(tree: ColumnDef, context: TreeContext): void {
  const constraints = constraintsOf(tree.constraints);
  const { tokenAt } = context.parsed;
  const locations = [...constraints.map(({ location }) => location), tree.collClause?.location];
  const clauses = locations.flatMap((location) =>
    location === undefined ? [] : [tokenAt(location)],
  );
  const column = typedColumn(tree, clauses, context);
  const columnTree: ColumnTree = { ...context, tree, column, clauses, last: undefined };
  const collation = stringsOf(tree.collClause?.collname).at(-1);
  if (collation !== undefined) column.collation = collation;
  for (const constraint of constraints) readColumnConstraint(constraint, columnTree);
  context.body.columns.push(column);
}

export function constraintsOf(nodes: readonly Node[] | undefined): readonly Constraint[] {
  return (nodes ?? []).flatMap((node) => ('Constraint' in node ? [node.Constraint] : []));
}

function typedColumn(
  { colname = '', typeName }: ColumnDef,
  clauses: readonly number[],
  { parsed, types, body }: TreeContext,
): Mutable<Column> {
  const { cursor, tokenAt } = parsed;
  const from = tokenAt(typeName?.location);
  const source = expressionUntil(cursor, from, clauses);
  const typed = readTypeName(typeName ?? {}, types, source);
  const isSerial = typed.column?.autoIncrement === true;
  const sequence = isSerial ? serialSequence(body.reference, colname) : undefined;
  const found = domainOf(typeName ?? {}, types);
  const isArray = (typeName?.arrayBounds ?? []).length > 0;
  // A check cannot be about each element of an array.
  if (isArray && (found?.checks.length ?? 0) > 0)
    body.warn(`the checks of the domain ${found?.name} are left out for the array ${colname}.`);
  const domain = isArray ? undefined : found;
  for (const check of domain?.checks ?? [])
    body.checks.push({ expression: withValueNamed(check, colname) });
  return {
    name: colname,
    type: typed.type,
    nativeType: typed.nativeType,
    nullable: domain?.nullable ?? true,
    ...(domain?.default === undefined ? {} : { default: domain.default }),
    ...typed.column,
    ...(sequence === undefined ? {} : { default: `nextval('${sequence}'::regclass)` }),
  };
}

const maxNameBytes = 63;

/** The generated name of a serial column's sequence; undefined if the server would truncate it. */
export function serialSequence(
  { localName, namespace }: Pick<TableReference, 'localName' | 'namespace'>,
  column: string,
): string | undefined {
  const name = `${localName}_${column}_seq`;
  if (Buffer.byteLength(name) > maxNameBytes) return undefined;
  const parts = namespace === undefined ? [name] : [namespace, name];
  const quoted = parts.map((part) =>
    /^[a-z_][a-z0-9_]*$/.test(part) ? part : postgresQuoteName(part),
  );
  return quoted.join('.').replaceAll("'", "''");
}

/** Constraints that also exist as table constraints are read as such. */
function readColumnConstraint(constraint: Constraint, context: ColumnTree): void {
  const { parsed, column, clauses } = context;
  const { cursor, tokenAt } = parsed;
  const at = tokenAt(constraint.location);
  switch (constraint.contype) {
    case 'CONSTR_NOTNULL':
      column.nullable = false;
      break;
    case 'CONSTR_NULL':
      column.nullable = true;
      break;
    case 'CONSTR_DEFAULT':
      setDefault(
        column,
        expressionUntil(cursor, positionAfterWord(context, at, 'DEFAULT'), clauses),
      );
      break;
    case 'CONSTR_IDENTITY':
      setIdentity(column, constraint);
      break;
    case 'CONSTR_GENERATED':
      column.generated = {
        expression: groupAfter(cursor, at, 'AS'),
        stored: constraint.generated_kind !== 'v',
      };
      break;
    case 'CONSTR_ATTR_DEFERRABLE':
    case 'CONSTR_ATTR_DEFERRED':
      deferLast(context, constraint.contype === 'CONSTR_ATTR_DEFERRED');
      break;
    case 'CONSTR_ATTR_NOT_ENFORCED':
      unenforceLast(context);
      break;
    case 'CONSTR_ATTR_ENFORCED':
    case 'CONSTR_ATTR_NOT_DEFERRABLE':
    case 'CONSTR_ATTR_IMMEDIATE':
      break;
    default:
      readConstraintTree(
        { ...constraint, keys: nameNodes(column), fk_attrs: nameNodes(column) },
        context,
      );
      context.last = constraint.contype;
  }
}

function positionAfterWord({ parsed }: TreeContext, from: number, word: string): number {
  const found = parsed.cursor.code.findIndex((token, i) => i >= from && token.word === word);
  return found + 1;
}

export function setDefault(column: Mutable<Column>, expression: string): void {
  if (expression.toUpperCase() === 'NULL') return;
  const sequence = nextValue.exec(expression)?.[1];
  column.default = sequence === undefined ? expression : `nextval(${sequence}::regclass)`;
  if (sequence !== undefined || /^(?:pg_catalog\.)?nextval\s*\(/i.test(expression))
    column.autoIncrement = true;
}

/** `pg_dump --quote-all-identifiers` quotes the function and the type too. A literal alone has the type regclass. */
const nextValue =
  /^(?:"?pg_catalog"?\.)?(?:"nextval"|nextval)\s*\(\s*('(?:[^']|'')*')\s*(?:::\s*"?regclass"?\s*)?\)$/i;

export function setIdentity(column: Mutable<Column>, constraint: Constraint): void {
  const { generated_when, options } = constraint;
  const numbering = sequenceOptionsOf(options);
  if (numbering !== undefined) column.numbering = numbering;
  column.autoIncrement = true;
  column.nullable = false;
  if (generated_when === 'a') column.identityAlways = true;
}

/** In a column constraint, DEFERRABLE is an attribute after REFERENCES. Other deferrable constraints are not supported. */
function deferLast({ body, last, column }: ColumnTree, isDeferred: boolean): void {
  if (last !== 'CONSTR_FOREIGN') {
    const clause = isDeferred ? 'INITIALLY DEFERRED' : 'DEFERRABLE';
    body.warn(`${clause} of the constraint (${column.name}) is left out.`);
    return;
  }
  const key = body.foreignKeys.pop();
  if (key !== undefined)
    body.foreignKeys.push({ ...key, deferrable: isDeferred ? 'deferred' : 'immediate' });
}

/** In a column constraint, NOT ENFORCED is an attribute after CHECK. */
function unenforceLast({ body, last }: ColumnTree): void {
  const check = last === 'CONSTR_CHECK' ? body.checks.pop() : undefined;
  if (check !== undefined) body.checks.push({ ...check, enforced: false });
  const key = last === 'CONSTR_FOREIGN' ? body.foreignKeys.pop() : undefined;
  if (key !== undefined) leaveKeyOut(key.columns, body, 'is not enforced');
}

function leaveKeyOut(
  columns: readonly string[],
  { warn }: TreeContext['body'],
  reason: string,
): void {
  warn(`the foreign key (${columns.join(', ')}) is left out: it ${reason}.`);
}

function nameNodes({ name }: Pick<Column, 'name'>): Node[] {
  return [{ String: { sval: name } }];
}

/** Reads a table constraint. */
export function readConstraintTree(constraint: Constraint, context: TreeContext): void {
  const { body, parsed } = context;
  switch (constraint.contype) {
    case 'CONSTR_PRIMARY':
      setPrimaryKey(body, keyOf(constraint, body), offsetOf(parsed.cursor));
      break;
    case 'CONSTR_UNIQUE':
      addUnique(constraint, body);
      break;
    case 'CONSTR_CHECK':
      addCheck(constraint, context);
      break;
    case 'CONSTR_FOREIGN':
      addForeignKey(constraint, context);
      break;
    case 'CONSTR_NOTNULL':
      context.body.notNull.push(...stringsOf(constraint.keys));
      break;
    case 'CONSTR_EXCLUSION':
      body.constraints.push(
        expressionUntil(parsed.cursor, parsed.tokenAt(constraint.location), []),
      );
      break;
    default:
  }
}

function addCheck(constraint: Constraint, { body, parsed }: TreeContext): void {
  const { conname, location, is_enforced, is_no_inherit } = constraint;
  const check: Check = {
    ...(conname === undefined ? {} : { name: conname }),
    expression: groupAfter(parsed.cursor, parsed.tokenAt(location), 'CHECK'),
    ...(is_enforced === true ? {} : { enforced: false }),
  };
  if (is_no_inherit === true) body.notInherited.add(check);
  body.checks.push(check);
}

/** With USING INDEX, the columns are those of an existing index. */
function keyOf(
  { conname, keys, indexname }: Constraint,
  body: TreeContext['body'],
): NonNullable<TableBody['primaryKey']> {
  const name = conname === undefined ? {} : { name: conname };
  return {
    ...name,
    columns: indexname === undefined ? stringsOf(keys) : takenFrom(indexname, body),
  };
}

function takenFrom(indexName: string, { indexes }: TreeContext['body']): readonly string[] {
  const at = indexes.findIndex(({ name }) => name === indexName);
  const [index] = at === -1 ? [] : indexes.splice(at, 1);
  return (index?.parts ?? []).flatMap(({ column }) => column ?? []);
}

function addUnique(constraint: Constraint, body: TreeContext['body']): void {
  const { conname, keys, including, indexname, nulls_not_distinct } = constraint;
  const columns = indexname === undefined ? stringsOf(keys) : takenFrom(indexname, body);
  const included = stringsOf(including);
  const index: Index = {
    name: conname ?? indexname ?? '',
    unique: true,
    parts: columns.map((column) => ({ column })),
    constraint: true,
    ...(included.length === 0 ? {} : { included }),
    ...(nulls_not_distinct === true ? { nullsNotDistinct: true } : {}),
  };
  body.indexes.push(index);
}

/** Foreign keys with PERIOD and those that are not enforced are not supported. */
function addForeignKey(constraint: Constraint, context: TreeContext): void {
  const { body } = context;
  const key = foreignKeyOf(constraint, context);
  if (constraint.fk_with_period === true) leaveKeyOut(key.columns, body, 'compares a PERIOD');
  else if (constraint.is_enforced !== true) leaveKeyOut(key.columns, body, 'is not enforced');
  else body.foreignKeys.push(key);
}

function foreignKeyOf(constraint: Constraint, { namespaces }: TreeContext): ForeignKey {
  const { conname, fk_attrs, pktable, pk_attrs, deferrable, initdeferred } = constraint;
  return {
    ...(conname === undefined ? {} : { name: conname }),
    columns: stringsOf(fk_attrs),
    table: nameOfTable(relationOf(pktable, namespaces)),
    referencedColumns: stringsOf(pk_attrs),
    onUpdate: foreignKeyActions[constraint.fk_upd_action ?? ''] ?? 'no action',
    onDelete: foreignKeyActions[constraint.fk_del_action ?? ''] ?? 'no action',
    ...(deferrable === true
      ? { deferrable: initdeferred === true ? 'deferred' : 'immediate' }
      : {}),
  };
}
