import type { Column, Schema, Table } from '../model/schema.ts';
import type { Adaptation } from './adaptation.ts';

/** Drops generated expressions and checks that use an auto-increment column, where the database does not allow them. */
export function adaptColumns(table: Table, { ddl, warn }: Adaptation): Table {
  const numbered = table.columns.filter(
    (column) =>
      ddl.identityClause(column, table, false) !== undefined && column.autoIncrement === true,
  );
  if (ddl.columnSupport.expressionsOnIdentity || numbered.length === 0) return table;
  const uses = (expression: string): Column | undefined =>
    numbered.find(({ name }) => mentions(expression, name));
  const columns = table.columns.map((column) => {
    const { generated, ...rest } = column;
    const used = generated && uses(generated.expression);
    if (used === undefined) return column;
    warn(
      `${table.name}: the expression of the generated column ${column.name} is left out: the database does not allow expressions over the auto-increment column ${used.name}.`,
    );
    return rest;
  });
  const checks = table.checks.filter(({ expression }) => {
    const used = uses(expression);
    if (used !== undefined)
      warn(
        `${table.name}: the check ${expression} is left out: the database does not allow expressions over the auto-increment column ${used.name}.`,
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

/** Warns about what types and generated columns lose, in one sentence per loss for the whole schema. */
export function warnAboutColumns({ tables }: Schema, { ddl, warn }: Adaptation): void {
  const { unsigned, setTypes: sets, virtual } = ddl.columnSupport;
  const losses = [
    {
      isLost: ({ type }: Column) =>
        type.kind === 'integer' && type.unsigned === true && !unsigned(type.bits),
      what: 'These columns accept negative numbers, because the database has no UNSIGNED',
    },
    {
      isLost: ({ type }: Column) => !sets && type.kind === 'set',
      what: 'These columns accept any labels, because the database has no SET',
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
