/** What of a database's own schema can be made in another database of its kind, with a warning for the rest. */
import { inViewOrder, leansOn } from './dependency-order.ts';
import { withNeeds } from './find-needs.ts';
import { unmadeOptions } from './unmade-options.ts';
import type { DdlDialect } from '../model/ddl-dialect.ts';
import type { Check, Column, Index, Schema, Table } from '../model/schema.ts';

interface Making {
  readonly ddl: DdlDialect;
  readonly schema: Schema;
  /** Names of all tables that a key may point at. */
  readonly targets: ReadonlySet<string>;
  readonly warn: (warning: string) => void;
}

export function ownSchema(
  given: Schema,
  existing: readonly Table[],
  { ddl, warn }: Pick<Making, 'ddl' | 'warn'>,
): Schema {
  const schema = withNeeds(given);
  const targets = new Set([...existing, ...schema.tables].map(({ name }) => name));
  const making: Making = { ddl, schema, targets, warn };
  return {
    ...schema,
    tables: schema.tables.map((table) => ownTable(table, making)),
    views: ownViews(schema.views, making),
  };
}

/** Without those that lean on a view that is left out. */
function ownViews(views: readonly Table[], making: Making): readonly Table[] {
  const lost = new Set<Table>();
  for (const view of inViewOrder(views)) {
    const base = [...lost].find((other) => leansOn(view, other));
    if (base !== undefined) making.warn(`The view ${view.name} is left out, as ${base.name} is.`);
    if (base !== undefined || !canMakeView(view, making)) lost.add(view);
  }
  return views.filter((view) => !lost.has(view));
}

function ownTable(table: Table, making: Making): Table {
  unmadeOptions(table, making.ddl.renderedOptions).forEach(making.warn);
  return {
    ...table,
    columns: table.columns.map((column) => ownColumn(column, table, making)),
    checks: table.checks.filter((check) => canMakeCheck(check, table, making)),
    indexes: table.indexes.filter((index) => canMakeIndex(index, table, making)),
    foreignKeys: table.foreignKeys.filter((key) => {
      const isThere = !making.ddl.canAddForeignKeys || making.targets.has(key.table);
      if (!isThere) {
        const columns = key.columns.join(', ');
        making.warn(
          `${table.name}: the foreign key (${columns}) is left out: there is no ${key.table}.`,
        );
      }
      return isThere;
    }),
  };
}

/** What a column needs is its type or its expression. */
function ownColumn(column: Column, table: Table, making: Making): Column {
  const typed = withKnownType(column, table, making);
  const { default: preset, generated, needs, ...rest } = typed;
  const expression = generated?.expression ?? preset;
  if (needs === undefined || expression === undefined) return typed;
  // A type that went may have taken along what the expression needs.
  const bare = typed === column ? undefined : withoutCastsTo(expression, needs);
  if (bare !== undefined) {
    return generated === undefined
      ? { ...rest, default: bare }
      : { ...rest, generated: { ...generated, expression: bare } };
  }
  making.warn(
    `${table.name}.${column.name} has no ${expression}: it needs ${needs}, which only its own database has.`,
  );
  return rest;
}

/** Undefined where the name still means something without its casts. */
function withoutCastsTo(expression: string, name: string): string | undefined {
  const spelled = [name, `"${name.replaceAll('"', '""')}"`];
  const bare = spelled.reduce((text, one) => text.replaceAll(`::${one}`, ''), expression);
  return spelled.some((one) => bare.includes(one)) ? undefined : bare;
}

/** Without a native type of its own, a column is told by its neutral one. */
function withKnownType(column: Column, table: Table, { ddl, schema, warn }: Making): Column {
  if (ddl.nativeType(column, schema) !== undefined) return column;
  if (column.nativeType !== '') {
    const type = ddl.columnType(column);
    warn(
      `${table.name}.${column.name} becomes ${type}: ${column.nativeType} is a type of its own database.`,
    );
  }
  return { ...column, nativeType: '' };
}

function canMakeCheck(check: Check, table: Table, making: Making): boolean {
  const name = `${table.name}: the check ${check.name ?? check.expression}`;
  if (check.enforced !== false || making.ddl.notEnforced !== undefined)
    return standsAlone(check, name, making);
  making.warn(`${name} is left out: the database enforces every check, and this one is not.`);
  return false;
}

function canMakeIndex(index: Index, table: Table, making: Making): boolean {
  const name = `${table.name}: the index ${index.name}`;
  if (making.ddl.indexes.keywords(index) === undefined) {
    making.warn(
      `${name} is left out: there is no statement for one of the kind ${index.method ?? ''}.`,
    );
    return false;
  }
  return standsAlone(index, name, making);
}

function canMakeView(view: Table, making: Making): boolean {
  if (view.definition !== undefined && view.definition !== '')
    return standsAlone(view, `The view ${view.name}`, making);
  making.warn(`The view ${view.name} is left out: its definition may not be seen.`);
  return false;
}

type Leaning = { readonly needs?: string };

/** Whether it needs nothing that only its own database has; what is left out is told as `what`. */
function standsAlone({ needs }: Leaning, what: string, { warn }: Pick<Making, 'warn'>): boolean {
  if (needs === undefined) return true;
  warn(`${what} is left out: it needs ${needs}, which only its own database has.`);
  return false;
}
