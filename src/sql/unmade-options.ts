import type { Table } from '../model/schema.ts';

/** What a table loses with what only its own database knows of it. Options that are not here cost nothing. */
const losses: Readonly<Record<string, (value: string) => string>> = {
  VIRTUAL: (module) => `it is a virtual table there (${module}); it becomes an ordinary one`,
  partition_by: (key) => `it is partitioned there (${key}); it becomes one table`,
  inherits: (parents) => `it inherits from ${parents} there; it becomes a table of its own`,
  foreign_server: (server) =>
    `it is a foreign table of ${server} there; it becomes an ordinary one`,
  row_security: () => 'its row security is left out',
  persistence: (kind) => `it is ${kind} there; it becomes an ordinary one`,
  constraints: (texts) =>
    `what only its database can demand of the rows is left out: ${texts.replaceAll(/\s+/g, ' ')}`,
  temporal: (kind) => `it is a temporal table there (${kind}); it becomes an ordinary one`,
};

/** A sentence for each of the table's options that is not `made`, if it is missed. */
export function unmadeOptions({ name, options = {} }: Table, made: readonly string[]): string[] {
  return Object.entries(options).flatMap(([option, value]) => {
    const loss =
      made.includes(option) || !Object.hasOwn(losses, option) ? undefined : losses[option];
    return loss === undefined ? [] : [`${name}: ${loss(value)}.`];
  });
}
