/** Reduces a schema to what another database of the same dialect can create, and warns about the rest. */
import { inViewOrder, dependsOn } from '../dependency-order.ts';
import { withoutExpression } from '../translate-schema.ts';
import { withNeeds } from '../find-needs.ts';
import { withCollations } from './adapt-collations.ts';
import { lostOptionWarnings } from './lost-options.ts';
import type { DdlDialect } from '../../model/ddl-dialect.ts';
import type { Check, Column, Index, Schema, Table } from '../../model/schema.ts';

interface NativeAdaptation {
  readonly ddl: DdlDialect;
  readonly schema: Schema;
  /** Names of all tables that a foreign key may reference. */
  readonly targets: ReadonlySet<string>;
  /** The names of functions that are created with the schema. */
  readonly functions: ReadonlySet<string>;
  readonly warn: (warning: string) => void;
}

export function adaptNativeSchema(
  sourceSchema: Schema,
  existing: readonly Table[],
  { ddl, functions, warn }: Pick<NativeAdaptation, 'ddl' | 'functions' | 'warn'>,
): Schema {
  const schema = withNeeds(withCollations(sourceSchema, ddl, warn));
  const targets = new Set([...existing, ...schema.tables].map(({ name }) => name));
  const adaptation: NativeAdaptation = { ddl, schema, targets, functions, warn };
  return {
    ...schema,
    tables: schema.tables.map((table) => adaptTable(table, adaptation)),
    views: adaptViews(schema.views, adaptation),
  };
}

/** Drops views that depend on a dropped view. */
function adaptViews(views: readonly Table[], adaptation: NativeAdaptation): readonly Table[] {
  const omitted = new Set<Table>();
  for (const view of inViewOrder(views)) {
    const base = [...omitted].find((other) => dependsOn(view, other));
    if (base !== undefined)
      adaptation.warn(`The view ${view.name} is left out, as ${base.name} is.`);
    if (base !== undefined || !canCreateView(view, adaptation)) omitted.add(view);
  }
  return views.filter((view) => !omitted.has(view));
}

function adaptTable(table: Table, adaptation: NativeAdaptation): Table {
  lostOptionWarnings(table, adaptation.ddl.renderedOptions).forEach(adaptation.warn);
  return {
    ...table,
    columns: table.columns.map((column) => adaptColumn(column, table, adaptation)),
    checks: table.checks.filter((check) => canCreateCheck(check, table, adaptation)),
    indexes: table.indexes.filter((index) => canCreateIndex(index, table, adaptation)),
    foreignKeys: table.foreignKeys.filter((key) => {
      const hasTarget = !adaptation.ddl.canAddForeignKeys || adaptation.targets.has(key.table);
      if (!hasTarget) {
        const columns = key.columns.join(', ');
        adaptation.warn(
          `${table.name}: the foreign key (${columns}) is left out: there is no ${key.table}.`,
        );
      }
      return hasTarget;
    }),
  };
}

/** `needs` of a column refers to its type or to its expression. */
function adaptColumn(column: Column, table: Table, adaptation: NativeAdaptation): Column {
  const typed = withKnownType(column, table, adaptation);
  const { default: defaultExpression, generated, needs, ...rest } = typed;
  const expression = generated?.expression ?? defaultExpression;
  if (needs === undefined || expression === undefined || adaptation.functions.has(needs))
    return typed;
  // If the column's type was replaced, casts to the old type are the only need of the expression.
  const withoutCasts = typed === column ? undefined : withoutCastsTo(expression, needs);
  if (withoutCasts !== undefined) {
    return generated === undefined
      ? { ...rest, default: withoutCasts }
      : { ...rest, generated: { ...generated, expression: withoutCasts } };
  }
  adaptation.warn(
    `${table.name}.${column.name} is created without ${expression}: it needs ${needs}, which only its source database has.`,
  );
  return generated === undefined ? rest : { ...rest, ...withoutExpression };
}

/** Undefined if the expression still uses the name after its casts are removed. */
function withoutCastsTo(expression: string, name: string): string | undefined {
  const writtenNames = [name, `"${name.replaceAll('"', '""')}"`];
  const withoutCasts = writtenNames.reduce(
    (text, one) => text.replaceAll(`::${one}`, ''),
    expression,
  );
  return writtenNames.some((one) => withoutCasts.includes(one)) ? undefined : withoutCasts;
}

/** Falls back to the neutral type where the database does not know the native one. */
function withKnownType(
  column: Column,
  table: Table,
  { ddl, schema, warn }: NativeAdaptation,
): Column {
  if (ddl.nativeType(column, schema) !== undefined) return column;
  if (column.nativeType !== '') {
    const type = ddl.columnType(column);
    warn(
      `${table.name}.${column.name} becomes ${type}: the type ${column.nativeType} exists only in its source database.`,
    );
  }
  return { ...column, nativeType: '' };
}

function canCreateCheck(check: Check, table: Table, adaptation: NativeAdaptation): boolean {
  const name = `${table.name}: the check ${check.name ?? check.expression}`;
  if (check.enforced !== false || adaptation.ddl.notEnforced !== undefined)
    return isSelfContained(check, name, adaptation);
  adaptation.warn(
    `${name} is left out: it is not enforced, but the database enforces every check.`,
  );
  return false;
}

function canCreateIndex(index: Index, table: Table, adaptation: NativeAdaptation): boolean {
  const name = `${table.name}: the index ${index.name}`;
  if (adaptation.ddl.indexSupport.keywords(index) === undefined) {
    adaptation.warn(
      `${name} is left out: the database has no statement for an index of the method ${index.method ?? ''}.`,
    );
    return false;
  }
  return isSelfContained(index, name, adaptation);
}

function canCreateView(view: Table, adaptation: NativeAdaptation): boolean {
  if (view.definition !== undefined && view.definition !== '')
    return isSelfContained(view, `The view ${view.name}`, adaptation);
  adaptation.warn(
    `The view ${view.name} is left out: this login is not allowed to see its definition.`,
  );
  return false;
}

type WithNeeds = { readonly needs?: string };

/** Whether it needs nothing that only its source database has. Otherwise warns; `what` names the omitted thing. */
function isSelfContained(
  { needs }: WithNeeds,
  description: string,
  { functions, warn }: Pick<NativeAdaptation, 'functions' | 'warn'>,
): boolean {
  if (needs === undefined || functions.has(needs)) return true;
  warn(`${description} is left out: it needs ${needs}, which only its source database has.`);
  return false;
}
