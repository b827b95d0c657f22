import type { Table } from '../../model/schema.ts';

/** What a table loses with each option that only its source database supports, by the names in `Table.options`. Other options need no warning. */
const losses: Readonly<Record<string, (value: string) => string>> = {
  VIRTUAL: (module) => `it is a virtual table (${module}) and becomes an ordinary one`,
  partition_by: (key) => `it is partitioned (${key}) and becomes a single table`,
  inherits: (parents) => `it inherits from ${parents} and becomes an independent table`,
  foreign_server: (server) => `it is a foreign table of ${server} and becomes an ordinary one`,
  distribution: (kind) => `Citus manages it (${kind}), and it becomes an ordinary table`,
  row_security: () => 'its row security is left out',
  persistence: (kind) => `it is ${kind} and becomes an ordinary one`,
  constraints: (texts) =>
    `constraints that only its source database has are left out: ${texts.replaceAll(/\s+/g, ' ')}`,
  temporal: (kind) => `it is a temporal table (${kind}) and becomes an ordinary one`,
};

/** A warning for each option of the table that is lost; `supported` lists the options that the database supports. */
export function lostOptionWarnings(
  { name, options = {} }: Table,
  supported: readonly string[],
): string[] {
  return Object.entries(options).flatMap(([option, value]) => {
    const loss =
      supported.includes(option) || !Object.hasOwn(losses, option) ? undefined : losses[option];
    return loss === undefined ? [] : [`${name}: ${loss(value)}.`];
  });
}

/** The table as a script creates it, without the options that are lost. */
export function withoutLostOptions(table: Table, supported: readonly string[]): Table {
  const { options } = table;
  if (options === undefined) return table;
  const selected = Object.entries(options).filter(
    ([option]) => supported.includes(option) || !Object.hasOwn(losses, option),
  );
  return { ...table, options: Object.fromEntries(selected) };
}
