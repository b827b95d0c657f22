/** Applies ALTER TABLE from its parse tree. */
import {
  changeColumn,
  dropColumn,
  hasConstraint,
  withBody,
  withoutConstraint,
} from '../../../sql/ddl/change-table.ts';
import { DdlError, offsetOf } from '../../../sql/ddl/cursor.ts';
import { changeTable, findTable, nameOfTable } from '../../../sql/ddl/draft.ts';
import { expressionUntil } from './slice.ts';
import { readTypeName } from './read-type-name.ts';
import { readColumnTree, readConstraintTree, setDefault, setIdentity } from './read-table-tree.ts';
import {
  addUnvalidated,
  removeUnvalidated,
  validateConstraint,
} from './unvalidated-constraints.ts';
import { unsupportedClauses } from './unsupported-clauses.ts';
import type { ATAlterConstraint, AlterTableCmd, AlterTableType, Node } from 'libpg-query';
import type { Column } from '../../../model/schema.ts';
import { stringsOf } from './tree-names.ts';
import type { FileState } from './statement-context.ts';
import type { UnvalidatedContext } from './unvalidated-constraints.ts';

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

export interface AlterContext extends UnvalidatedContext {
  readonly state: FileState;
  /** How many SET DEFAULT clauses were processed, because the tree has no locations for them. */
  defaults: number;
}

export function readCommand(command: AlterTableCmd, context: AlterContext): void {
  const { subtype } = command;
  const read =
    subtype !== undefined && Object.hasOwn(commands, subtype) ? commands[subtype] : undefined;
  if (read !== undefined) {
    if (!hasEffect(command, context)) return;
    if (!isUnvalidated(command.def, context)) warnOfClauses({ AlterTableCmd: command }, context);
    read(command, context);
  } else if (subtype === undefined || !silentCommands.has(subtype) || isOwnState(command, context))
    context.body.warn(`${words(subtype)}${ofColumnNamed(command)} is left out.`);
}

function warnOfClauses(node: Node, { body }: AlterContext): void {
  for (const clause of unsupportedClauses(node)) body.warn(`${clause} is left out.`);
}

/** A partition can disable a trigger of its table, which a dump does not create for it. */
function isOwnState({ subtype }: AlterTableCmd, { state, reference }: AlterContext): boolean {
  return subtype === 'AT_DisableTrig' && state.partitions.has(nameOfTable(reference));
}

/** An index has numbered columns. */
function ofColumnNamed({ name, num }: AlterTableCmd): string {
  if (name !== undefined) return ` of ${name}`;
  return num === undefined || num === 0 ? '' : ` of the column ${num}`;
}

/** `AT_AddInherit` becomes `add inherit`. */
function words(subtype: string | undefined): string {
  const name = (subtype ?? 'a change').replace(/^AT_/, '');
  return `the change "${name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase()}"`;
}

/** Commands that do not affect what an import creates. */
export const silentCommands: ReadonlySet<AlterTableType> = new Set<AlterTableType>([
  'AT_EnableTrig',
  'AT_EnableTrigAll',
  'AT_DisableTrig',
  'AT_DisableTrigAll',
  'AT_DropOids',
]);

type Command = (command: AlterTableCmd, context: AlterContext) => void;

const commands: Readonly<Partial<Record<AlterTableType, Command>>> = {
  AT_AddColumn: ({ def }, context) => {
    if (def !== undefined && 'ColumnDef' in def) readColumnTree(def.ColumnDef, context);
    addToTable(context);
  },
  AT_AddConstraint: ({ def }, context) => {
    if (def !== undefined && 'Constraint' in def) addConstraint(def, context);
  },
  AT_ValidateConstraint: ({ name = '' }, context) => validateConstraint(name, context),
  AT_ColumnDefault: ({ name = '', def }, context) => {
    const expression = def === undefined ? undefined : nextDefault(context);
    changeThisColumn(context, name, (column) => {
      const { default: _old, ...changed } = column;
      if (expression !== undefined) setDefault(changed, expression);
      return changed;
    });
  },
  AT_SetNotNull: ({ name = '' }, context) =>
    changeThisColumn(context, name, (column) => ({ ...column, nullable: false })),
  AT_DropNotNull: ({ name = '' }, context) =>
    changeThisColumn(context, name, (column) => ({ ...column, nullable: true })),
  AT_AddIdentity: ({ name = '', def }, context) =>
    changeThisColumn(context, name, (column) => {
      const changedColumn = { ...column };
      if (def !== undefined && 'Constraint' in def) setIdentity(changedColumn, def.Constraint);
      return changedColumn;
    }),
  AT_AlterColumnType: changeType,
  AT_DropColumn: ({ name = '' }, { draft, reference, parsed }) =>
    dropColumn(draft, reference, {
      name,
      lexical: parsed.cursor.lexical,
      narrowsIndexes: false,
    }),
  AT_DropConstraint: ({ name = '' }, context) =>
    changeThisTable(context, (table) => withoutConstraint(table, name)),
  AT_AlterConstraint: ({ def }, context) => {
    if (def === undefined || !('ATAlterConstraint' in def)) return;
    if (!deferForeignKey(def.ATAlterConstraint, context))
      context.body.warn(`${words('AT_AlterConstraint')} is left out.`);
  },
  AT_ChangeOwner: ({ newowner }, { state }) => void state.owners.add(newowner?.rolename ?? ''),
};

/** Dumps of the studio make the keys of a cycle deferrable while they insert its rows. */
function deferForeignKey(
  { conname = '', alterDeferrability, deferrable, initdeferred }: ATAlterConstraint,
  context: AlterContext,
): boolean {
  const keys = findTable(context.draft, context.reference)?.foreignKeys ?? [];
  if (alterDeferrability !== true || !keys.some(({ name }) => name === conname)) return false;
  changeThisTable(context, (table) => ({
    ...table,
    foreignKeys: table.foreignKeys.map((key) => {
      if (key.name !== conname) return key;
      const { deferrable: _old, ...changed } = key;
      if (deferrable !== true) return changed;
      return { ...changed, deferrable: initdeferred === true ? 'deferred' : 'immediate' };
    }),
  }));
  return true;
}

/** Commands that require an existing column. */
const ofColumn: ReadonlySet<string> = new Set([
  'AT_ColumnDefault',
  'AT_SetNotNull',
  'AT_DropNotNull',
  'AT_AddIdentity',
  'AT_AlterColumnType',
  'AT_DropColumn',
]);

/** Whether the command changes something; with IF EXISTS or IF NOT EXISTS it may not. */
function hasEffect(
  { subtype = 'AT_DropOids', name, ...command }: AlterTableCmd,
  context: AlterContext,
): boolean {
  const { draft, reference, parsed } = context;
  const table = findTable(draft, reference);
  const { def, missing_ok } = command;
  const has = (column: string | undefined): boolean =>
    table?.columns.some((each) => each.name === column) === true;
  if (subtype === 'AT_AddColumn' && missing_ok === true)
    return !(def !== undefined && 'ColumnDef' in def && has(def.ColumnDef.colname));
  if (subtype === 'AT_DropConstraint' && table !== undefined && !hasConstraint(table, name ?? '')) {
    if (removeUnvalidated(name ?? '', context) !== undefined) return false;
    if (missing_ok !== true) context.body.warn(`DROP CONSTRAINT ${name} is left out.`);
    return false;
  }
  if (!ofColumn.has(subtype) || has(name)) return true;
  if (subtype === 'AT_DropColumn' && missing_ok === true) return false;
  throw new DdlError(
    `The table ${nameOfTable(reference)} has no column ${name}.`,
    offsetOf(parsed.cursor),
  );
}

function changeThisTable(context: AlterContext, change: Parameters<typeof changeTable>[2]): void {
  changeTable(context.draft, context.reference, change);
}

function changeThisColumn(
  context: AlterContext,
  name: string,
  change: (column: Mutable<Column>) => Column,
): void {
  changeThisTable(context, (table) => changeColumn(table, name, (column) => change({ ...column })));
}

/** Adds the collected columns and constraints to the table, and empties the body for the next command. */
function addToTable(context: AlterContext): void {
  const { body } = context;
  changeThisTable(context, (table) => withBody(table, { ...body, rules: undefined as never }));
  for (const name of body.notNull)
    changeThisColumn(context, name, (column) => ({ ...column, nullable: false }));
  for (const list of [body.columns, body.indexes, body.foreignKeys, body.checks, body.notNull])
    list.length = 0;
  body.primaryKey = undefined;
}

/** A partition has no constraints of its own, and a constraint that is not enforced checks no rows. */
function isUnvalidated(
  def: Node | undefined,
  { state: { isLoaded, partitions }, reference }: AlterContext,
): boolean {
  if (def === undefined || !('Constraint' in def) || !isLoaded) return false;
  const { skip_validation, is_enforced } = def.Constraint;
  return (
    skip_validation === true && is_enforced === true && !partitions.has(nameOfTable(reference))
  );
}

/** `PRIMARY KEY USING INDEX` turns an existing index into the constraint. */
function addConstraint(def: Extract<Node, { Constraint: unknown }>, context: AlterContext): void {
  const { body, draft, reference } = context;
  const add = (): void => {
    readConstraintTree(def.Constraint, context);
    addToTable(context);
  };
  if (isUnvalidated(def, context)) {
    addUnvalidated(def.Constraint, context, () => {
      warnOfClauses(def, context);
      add();
    });
    return;
  }
  if (def.Constraint.indexname !== undefined) {
    body.indexes.push(...(findTable(draft, reference)?.indexes ?? []));
    changeThisTable(context, (table) => ({ ...table, indexes: [] }));
  }
  add();
}

/** The expression of the next SET DEFAULT in the text. */
function nextDefault(context: AlterContext): string {
  const { cursor } = context.parsed;
  const positions = cursor.code.flatMap(({ word }, i) =>
    word === 'DEFAULT' && cursor.code[i - 1]?.word === 'SET' ? [i + 1] : [],
  );
  const from = positions[context.defaults] ?? cursor.code.length;
  context.defaults += 1;
  return expressionUntil(cursor, from, []);
}

function changeType({ name = '', def }: AlterTableCmd, context: AlterContext): void {
  if (def === undefined || !('ColumnDef' in def)) return;
  const { typeName, collClause } = def.ColumnDef;
  const { cursor, tokenAt } = context.parsed;
  const using = cursor.code.findIndex(({ word }) => word === 'USING');
  const source = expressionUntil(cursor, tokenAt(typeName?.location), [using]);
  const { type, nativeType } = readTypeName(typeName ?? {}, context.types, source);
  const collation = stringsOf(collClause?.collname).at(-1);
  changeThisColumn(context, name, ({ collation: _old, ...column }) => ({
    ...column,
    type,
    nativeType,
    ...(collation === undefined ? {} : { collation }),
  }));
}
