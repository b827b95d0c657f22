import type { Column, Schema, Table } from '../model/schema.ts';
import type { Adaptation } from './adaptation.ts';

/** The table without expressions over the column that the database numbers, where it refuses them. */
export function adaptColumns(table: Table, { ddl, warn }: Adaptation): Table {
  const numbered = table.columns.filter(
    (column) => ddl.identity(column, table, false) !== undefined && column.autoIncrement === true,
  );
  if (ddl.columns.expressionsOnIdentity || numbered.length === 0) return table;
  const uses = (expression: string): Column | undefined =>
    numbered.find(({ name }) => mentions(expression, name));
  const columns = table.columns.map((column) => {
    const { generated, ...rest } = column;
    const used = generated && uses(generated.expression);
    if (used === undefined) return column;
    warn(
      `${table.name}: the expression of the generated column ${column.name} is left out: the database takes none of ${used.name}, which it numbers.`,
    );
    return rest;
  });
  const checks = table.checks.filter(({ expression }) => {
    const used = uses(expression);
    if (used !== undefined)
      warn(
        `${table.name}: the check ${expression} is left out: the database takes none of ${used.name}, which it numbers.`,
      );
    return used === undefined;
  });
  return { ...table, columns, checks };
}

function mentions(expression: string, name: string): boolean {
  const code = expression.replaceAll(/'(?:[^']|'')*'/g, "''");
  const escaped = name.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  return new RegExp(String.raw`(?<![\w$])${escaped}(?![\w$])`, 'i').test(code);
}

/** Says what types and generated columns no longer do, in one sentence each for the whole schema. */
export function warnOfColumns({ tables }: Schema, { ddl, warn }: Adaptation): void {
  const { unsigned, setTypes: sets, virtual } = ddl.columns;
  const losses = [
    {
      isLost: ({ type }: Column) =>
        type.kind === 'integer' && type.unsigned === true && !unsigned(type.bits),
      what: 'These columns take negative numbers, as the database has no UNSIGNED',
    },
    {
      isLost: ({ type }: Column) => !sets && type.kind === 'set',
      what: 'These columns take any labels, as the database has no SET',
    },
    {
      isLost: ({ generated }: Column) => !virtual && generated?.stored === false,
      what: 'These generated columns are stored, not virtual',
    },
  ];
  for (const { isLost, what } of losses) {
    const names = tables.flatMap((table) =>
      table.columns.filter(isLost).map(({ name }) => `${table.name}.${name}`),
    );
    if (names.length > 0) warn(`${what}: ${names.join(', ')}.`);
  }
}
