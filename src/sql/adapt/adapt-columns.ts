import type { DdlDialect } from '../../model/ddl-dialect.ts';
import type { Column, Schema, Table } from '../../model/schema.ts';
import type { Adaptation } from './adaptation.ts';

/** Drops generated expressions and checks that use an auto-increment column, where the database does not allow them. */
export function adaptColumns(table: Table, { ddl, warn }: Adaptation): Table {
  const identityColumns = table.columns.filter(
    (column) =>
      ddl.identityClause(column, table, false) !== undefined && column.autoIncrement === true,
  );
  if (ddl.columnSupport.expressionsOnIdentity || identityColumns.length === 0) return table;
  const uses = (expression: string): Column | undefined =>
    identityColumns.find(({ name }) => mentions(expression, name));
  const columns = table.columns.map((column) => {
    const { generated, ...rest } = column;
    const usedColumn = generated && uses(generated.expression);
    if (usedColumn === undefined) return column;
    warn(
      `${table.name}: the expression of the generated column ${column.name} is left out: the database does not allow expressions over the auto-increment column ${usedColumn.name}.`,
    );
    return rest;
  });
  const checks = table.checks.filter(({ expression }) => {
    const usedColumn = uses(expression);
    if (usedColumn !== undefined)
      warn(
        `${table.name}: the check ${expression} is left out: the database does not allow expressions over the auto-increment column ${usedColumn.name}.`,
      );
    return usedColumn === undefined;
  });
  return { ...table, columns, checks };
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

function hasFewerDigits(type: Column['type'], rendered: string): boolean {
  if (type.kind !== 'decimal' || type.precision === undefined) return false;
  const [, precision = type.precision, scale = 0] = /\((\d+)(?:, ?(\d+))?\)/.exec(rendered) ?? [];
  return Number(precision) < type.precision || Number(scale) < (type.scale ?? 0);
}
