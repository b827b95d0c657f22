/** The options of views, after the dump has been imported or run by the database's own client. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { dumpOf } from '../exporting.ts';
import { importDumpFile } from '../importing.ts';
import { onNewDatabase } from '../on-new-database.ts';
import { describeOnEachDatabase } from './harness.ts';
import { runNatively } from './run-natively.ts';
import type { KitDatabase } from './database-under-test.ts';

interface ViewSyntax {
  /** What may stand before VIEW. */
  readonly before: readonly string[];
  /** What may stand after the name. */
  readonly after: readonly string[];
  /** What may stand after the query. */
  readonly check: readonly string[];
  /** The options of all views, as the server lists them. */
  readonly options: string;
}

const checks = ['', 'WITH CHECK OPTION', 'WITH LOCAL CHECK OPTION', 'WITH CASCADED CHECK OPTION'];

const syntaxes: Readonly<Record<string, ViewSyntax>> = {
  postgres: {
    before: [''],
    after: [
      '',
      'WITH (security_barrier)',
      'WITH (security_barrier = off)',
      'WITH (security_invoker = 1)',
      'WITH (security_invoker = true, security_barrier = yes)',
    ],
    check: checks,
    options: `SELECT c.relname, o.option_name, CASE o.option_name WHEN 'check_option' THEN o.option_value ELSE o.option_value::boolean::text END
      FROM pg_class c CROSS JOIN pg_options_to_table(c.reloptions) o WHERE c.relkind = 'v' AND c.relnamespace = 'public'::regnamespace ORDER BY 1, 2`,
  },
  mysql: {
    before: [
      '',
      'ALGORITHM = MERGE',
      'SQL SECURITY INVOKER',
      'SQL SECURITY DEFINER',
      'ALGORITHM = MERGE SQL SECURITY INVOKER',
    ],
    after: [''],
    check: checks,
    options: `SELECT table_name, security_type, check_option, algorithm
      FROM information_schema.views WHERE table_schema = DATABASE() ORDER BY 1`,
  },
};

describeOnEachDatabase('views in dumps', ({ underTest }) => {
  const syntax = syntaxes[underTest.name];

  const onNew = (work: (database: KitDatabase) => Promise<void>): Promise<void> =>
    onNewDatabase(() => underTest.makeDatabase(), work);

  test.skipIf(syntax === undefined)(
    'have the options of the source',
    async () => {
      const { before, after, check, options } = syntax!;
      const clauses = fc.record({
        before: fc.constantFrom(...before),
        after: fc.constantFrom(...after),
        check: fc.constantFrom(...check),
      });
      await fc.assert(
        fc.asyncProperty(fc.array(clauses, { minLength: 1, maxLength: 8 }), async (views) => {
          await onNew(async (database) => {
            await database.run('CREATE TABLE t (a integer)');
            for (const [i, view] of views.entries())
              await database.run(
                `CREATE ${view.before} VIEW v${i} ${view.after} AS SELECT a FROM ${i % 2 === 0 ? 't' : `v${i - 1}`} WHERE a > ${i} ${view.check}`,
              );
            const expected = await database.query(options);
            const { text } = await dumpOf(database.url);
            await onNew(async (copy) => {
              await importDumpFile(copy.url, text);
              expect(await copy.query(options)).toEqual(expected);
            });
            await onNew(async (copy) => {
              runNatively(underTest, copy.url, text);
              expect(await copy.query(options)).toEqual(expected);
              expect((await dumpOf(copy.url)).text.replace(/^(?:-- .*\n)*/, '')).toBe(
                text.replace(/^(?:-- .*\n)*/, ''),
              );
            });
          });
        }),
        { numRuns: 6 },
      );
    },
    240_000,
  );
});
