/** Triggers on the tables of a random import, which may violate foreign keys that the file does not. */
import * as fc from 'fast-check';
import type { Table } from '../../../src/model/schema.ts';
import type { Harness } from './harness.ts';

export interface RandomTrigger {
  readonly event: 'insert' | 'update' | 'delete';
  /** The tables of the trigger and of its statement, by index. */
  readonly on: number;
  readonly target: number;
  readonly action: 'delete' | 'refer';
}

export function randomTriggers(tableCount: number): fc.Arbitrary<readonly RandomTrigger[]> {
  const trigger = fc.record<RandomTrigger>({
    event: fc.constantFrom('insert', 'insert', 'update', 'delete'),
    on: fc.nat(tableCount - 1),
    target: fc.nat(tableCount - 1),
    action: fc.constantFrom('delete', 'refer'),
  });
  // MySQL and MariaDB have no trigger that writes to its own table.
  return fc.array(
    trigger.filter(({ on, target }) => on !== target),
    { maxLength: 2 },
  );
}

type Render = (name: string, trigger: RandomTrigger, statement: string) => string;

const plain: Render = (name, { event, on }, statement) =>
  `CREATE TRIGGER ${name} AFTER ${event} ON walk${on} FOR EACH ROW ${statement}`;

const renderings: Readonly<Record<string, Render>> = {
  sqlite: (name, { event, on }, statement) =>
    `CREATE TRIGGER ${name} AFTER ${event} ON walk${on} BEGIN ${statement}; END`,
  mysql: plain,
  postgres: (name, trigger, statement) =>
    `CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${statement}; RETURN NULL; END $$; ${plain(name, trigger, `EXECUTE FUNCTION ${name}()`)}`,
};

/** None on SQL Server, whose triggers see all rows of a statement at once. */
export async function createTriggers(
  { database, underTest }: Harness,
  tables: readonly Table[],
  triggers: readonly RandomTrigger[],
): Promise<void> {
  const render = renderings[underTest.name];
  if (render === undefined) return;
  for (const [i, trigger] of triggers.entries()) {
    const target = tables[trigger.target];
    if (target !== undefined)
      await database.run(render(`walk_tg${i}`, trigger, statementOf(target, trigger)));
  }
}

/** By the row's `x` and `id`, which are small: most statements find a row. */
function statementOf({ name, foreignKeys }: Table, { event, action }: RandomTrigger): string {
  const row = event === 'delete' ? 'OLD' : 'NEW';
  const column = foreignKeys[0]?.columns[0];
  return action === 'delete' || column === undefined
    ? `DELETE FROM ${name} WHERE id = ${row}.id`
    : `UPDATE ${name} SET ${column} = ${row}.id + 1 WHERE id = ${row}.id`;
}

/** Dropping a table drops its triggers, but not their functions. */
export async function dropTriggerFunctions(
  { database, underTest }: Harness,
  triggers: readonly RandomTrigger[],
): Promise<void> {
  if (underTest.name !== 'postgres') return;
  for (const i of triggers.keys()) await database.run(`DROP FUNCTION IF EXISTS walk_tg${i}()`);
}
