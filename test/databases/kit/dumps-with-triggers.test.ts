/** Triggers of dumps that stand before rows of their tables: the database's own client would run them. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { importDumpFile } from '../importing.ts';
import { describeOnEachDatabase } from './harness.ts';
import { onNewDatabase } from '../on-new-database.ts';

type Event = 'INSERT' | 'UPDATE';

/** A trigger on a table that does nothing. */
const triggers: Readonly<Record<string, (name: string, event: Event, table: string) => string>> = {
  sqlite: (name, event, table) =>
    `CREATE TRIGGER ${name} AFTER ${event} ON ${table} BEGIN SELECT 'INSERT'; END`,
  mysql: (name, event, table) =>
    `CREATE TRIGGER ${name} AFTER ${event} ON ${table} FOR EACH ROW SET @a = 'INSERT'`,
  postgres: (name, event, table) =>
    `CREATE TRIGGER ${name} AFTER ${event} ON ${table} FOR EACH ROW EXECUTE FUNCTION suppress_redundant_updates_trigger()`,
};

const part = fc.oneof(
  fc.record({ kind: fc.constant('rows' as const), table: fc.nat(2) }),
  fc.record({
    kind: fc.constant('trigger' as const),
    table: fc.nat(2),
    event: fc.constantFrom<Event>('INSERT', 'UPDATE'),
  }),
);

describeOnEachDatabase('dumps with triggers', ({ underTest }) => {
  const { name: dialect } = underTest;
  const triggerOf = triggers[dialect]!;

  test('warn of those that stand before rows of their table', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(part, { maxLength: 8 }), async (parts) => {
        const statements = parts.map((each, i) =>
          each.kind === 'rows'
            ? `INSERT INTO t${each.table} VALUES (${i})`
            : triggerOf(`tr${i}`, each.event, `t${each.table}`),
        );
        const tables = [0, 1, 2].map((i) => `CREATE TABLE t${i} (id integer PRIMARY KEY)`);
        const text = [...tables, ...statements].map((statement) => `${statement};\n`).join('');
        const expected = parts.flatMap((each, i) => {
          const hasRowsAfter = parts
            .slice(i)
            .some(({ kind, table }) => kind === 'rows' && table === each.table);
          const isRun = each.kind === 'trigger' && each.event === 'INSERT' && hasRowsAfter;
          return isRun ? [`Line ${i + 4}: the trigger tr${i} does not run`] : [];
        });
        await onNewDatabase(
          () => underTest.makeDatabase(),
          async ({ url }) => {
            const { warnings } = await importDumpFile(url, text, { dialect });
            const found = warnings.flatMap(
              (warning) => /^.* does not run/.exec(warning)?.[0] ?? [],
            );
            expect(found).toEqual(expected);
          },
        );
      }),
      { numRuns: dialect === 'sqlite' ? 40 : 10 },
    );
  }, 120_000);
});
