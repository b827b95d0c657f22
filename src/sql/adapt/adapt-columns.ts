import { withoutExpression } from '../translate-schema.ts';
import type { DdlDialect } from '../../model/ddl-dialect.ts';
import type { Column, ForeignKeyAction, Schema, Table } from '../../model/schema.ts';
import type { Adaptation } from './adaptation.ts';

/** Drops generated expressions and checks over columns that the database does not allow in them. */
export function adaptColumns(table: Table, { ddl, warn }: Adaptation): Table {
  const { expressionsOnIdentity, expressionsOnChangedKeys } = ddl.columnSupport;
  const restrictions = [
    ...(expressionsOnIdentity ? [] : identityColumns(table, ddl)),
    ...(expressionsOnChangedKeys ? [] : changedColumns(table)),
  ];
  if (restrictions.length === 0) return table;
  const restrictionOf = (expression: string): Restriction | undefined =>
    restrictions.find(({ name }) => mentions(expression, name));
  const columns = table.columns.map((column) => {
    const { generated, ...rest } = column;
    const found = generated && restrictionOf(generated.expression);
    if (found === undefined || (found.allowsVirtual && !generated!.stored)) return column;
    const named = `${table.name}: the expression of the generated column ${column.name} is`;
    if (found.allowsVirtual) {
      warn(`${named} no longer stored, but computed: ${found.reason}.`);
      return { ...column, generated: { ...generated!, stored: false } };
    }
    warn(`${named} left out: ${found.reason}.`);
    return { ...rest, ...withoutExpression };
  });
  const checks = table.checks.filter(({ name, expression }) => {
    const found = restrictionOf(expression);
    if (found === undefined) return true;
    const named = name === undefined ? expression : `${name} (${expression})`;
    warn(`${table.name}: the check ${named} is left out: ${found.reason}.`);
    return false;
  });
  return { ...table, columns, checks };
}

/** A column that expressions may not refer to. */
interface Restriction {
  readonly name: string;
  readonly reason: string;
  /** Generated columns that are not stored may. */
  readonly allowsVirtual: boolean;
}

function identityColumns(table: Table, ddl: DdlDialect): readonly Restriction[] {
  return table.columns
    .filter(
      (column) =>
        column.autoIncrement === true && ddl.identityClause(column, table, false) !== undefined,
    )
    .map(({ name }) => ({
      name,
      reason: `the database does not allow expressions over the auto-increment column ${name}`,
      allowsVirtual: false,
    }));
}

function changedColumns({ foreignKeys }: Table): readonly Restriction[] {
  return foreignKeys.flatMap(({ columns, onDelete, onUpdate }) => {
    const actions = [
      ...(changesColumns(onDelete) && onDelete !== 'cascade' ? [`ON DELETE ${onDelete}`] : []),
      ...(changesColumns(onUpdate) ? [`ON UPDATE ${onUpdate}`] : []),
    ];
    if (actions.length === 0) return [];
    const clauses = actions.join(' ').toUpperCase();
    return columns.map((name) => ({
      name,
      reason: `the database does not allow it over the column ${name}, which a foreign key changes (${clauses})`,
      allowsVirtual: true,
    }));
  });
}

function changesColumns(action: ForeignKeyAction): boolean {
  return action === 'cascade' || action === 'set null' || action === 'set default';
}

/** Whether an expression has the name outside of its literals. */
export function mentions(expression: string, name: string): boolean {
  const code = expression.replaceAll(/'(?:[^']|'')*'/g, "''");
  const escaped = name.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  return new RegExp(String.raw`(?<![\w$])${escaped}(?![\w$])`, 'i').test(code);
}

interface Loss {
  isLost(column: Column): boolean;
  readonly description: string;
  /** The warning shows the types of the columns. */
  readonly showsTypes?: boolean;
}

/** Warns about what types and generated columns lose, in one sentence per loss for the whole schema. */
export function warnAboutColumns({ tables }: Schema, { ddl, warn }: Adaptation): void {
  for (const { isLost, description, showsTypes = false } of [
    ...lostProperties(ddl),
    ...lostValues(ddl),
  ]) {
    const names = tables.flatMap((table) =>
      table.columns
        .filter(isLost)
        .map(({ name, nativeType }) =>
          showsTypes && nativeType !== ''
            ? `${table.name}.${name} (${nativeType})`
            : `${table.name}.${name}`,
        ),
    );
    if (names.length > 0) warn(`${description}: ${names.join(', ')}.`);
  }
}

function lostProperties({ columnSupport: { unsigned, setTypes, virtual } }: DdlDialect): Loss[] {
  return [
    {
      isLost: ({ type }) =>
        type.kind === 'integer' && type.unsigned === true && !unsigned(type.bits),
      description: 'These columns accept negative numbers, because the database has no UNSIGNED',
    },
    {
      isLost: ({ type }) => !setTypes && type.kind === 'set',
      description: 'These columns accept any labels, because the database has no SET',
    },
    {
      isLost: ({ generated }) => !virtual && generated?.stored === false,
      description: 'These generated columns are stored, not virtual',
    },
  ];
}

/** Types that the database renders as text, because it has none like them. */
const rareKinds: ReadonlySet<string> = new Set(['other', 'untyped', 'interval', 'bits']);

function lostValues(ddl: DdlDialect): Loss[] {
  const { secondDigits = Infinity, offsets, lastZonedYear } = ddl.columnSupport;
  const isZoned = ({ type }: Column): boolean => type.kind === 'timestamp' && type.zone === true;
  return [
    {
      isLost: (column) =>
        rareKinds.has(column.type.kind) && /char|text/i.test(ddl.columnType(column)),
      description: 'These columns become texts, whose form the database does not check',
      showsTypes: true,
    },
    {
      isLost: (column) =>
        column.type.kind === 'array' &&
        /char|text|json/i.test(withoutArray(ddl.columnType(column))),
      description: 'These columns of arrays become texts in JSON',
      showsTypes: true,
    },
    {
      isLost: ({ type }) =>
        (type.kind === 'time' || type.kind === 'timestamp') && (type.precision ?? 0) > secondDigits,
      description: `These columns have ${secondDigits} fractional digits of a second`,
      showsTypes: true,
    },
    {
      isLost: (column) => !offsets && isZoned(column) && /datetimeoffset/i.test(column.nativeType),
      description: 'These columns keep the instant of a value, and not its offset from UTC',
    },
    {
      isLost: (column) =>
        column.type.kind === 'time' &&
        column.type.zone === true &&
        !/zone|tz/i.test(ddl.columnType(column)),
      description: 'These columns have no offset from UTC',
    },
    {
      isLost: (column) => lastZonedYear !== undefined && isZoned(column),
      description: `These columns hold no times before 1970 or after ${lastZonedYear}`,
    },
    {
      isLost: (column) => hasFewerDigits(column.type, ddl.columnType(column)),
      description: 'These columns hold fewer digits than their types',
      showsTypes: true,
    },
  ];
}

/** `text[]` is an array, not a text. */
function withoutArray(type: string): string {
  return type.replace(/^.*\[\]$/, '');
}

function hasFewerDigits(type: Column['type'], rendered: string): boolean {
  if (type.kind !== 'decimal' || type.precision === undefined) return false;
  const [, precision = type.precision, scale = 0] = /\((\d+)(?:, ?(\d+))?\)/.exec(rendered) ?? [];
  return Number(precision) < type.precision || Number(scale) < (type.scale ?? 0);
}
