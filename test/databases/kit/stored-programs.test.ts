/** Triggers and routines in dumps: exported, run by the database's own client, and imported. */
import { execFileSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { dumpOf } from '../exporting.ts';
import { importDumpFile } from '../importing.ts';
import { describeOnEachDatabase, failureOf } from './harness.ts';
import { programKits } from './random-programs.ts';
import { onNewDatabase } from '../on-new-database.ts';
import type { KitDatabase } from './database-under-test.ts';

describeOnEachDatabase('triggers and routines in dumps', ({ underTest }) => {
  const { name } = underTest;
  const kit = programKits[name];

  const onNew = (work: (database: KitDatabase) => Promise<void>): Promise<void> =>
    onNewDatabase(() => underTest.makeDatabase(), work);

  /** Without the comments at the beginning, which name the database. */
  const textOf = async ({ url }: KitDatabase): Promise<string> =>
    (await dumpOf(url)).text.replace(/^(?:-- .*\n)*/, '');

  /** Creates the programs between two rows. */
  const fill = async (database: KitDatabase, programs: readonly string[]): Promise<void> => {
    await database.run(kit!.tables.join(';\n'));
    await database.run("INSERT INTO film VALUES (1, 'before')");
    for (const statement of programs) await database.run(statement);
    await database.run("INSERT INTO film VALUES (2, 'after')");
  };

  /** Milliseconds after which others begin. */
  const delays = fc.array(fc.integer({ min: 0, max: 150 }), { minLength: 1, maxLength: 4 });

  const logOf = (database: KitDatabase): Promise<readonly unknown[]> =>
    database.query('SELECT program, word FROM log ORDER BY program, word');

  test.skipIf(kit === undefined)(
    'are the same after a round trip, and do not run for the rows of the dump',
    async () => {
      const { programs, definitions, clientOptions } = kit!;
      await fc.assert(
        fc.asyncProperty(programs, async ({ statements, calls }) => {
          await onNew(async (database) => {
            await fill(database, statements);
            const text = await textOf(database);
            expect(text).not.toContain('-- Left out');
            const found = await database.query(definitions);
            const log = await logOf(database);
            const checkCopy = async (copy: KitDatabase): Promise<void> => {
              expect(await copy.query(definitions)).toEqual(found);
              expect(await logOf(copy)).toEqual(log);
              expect(await textOf(copy)).toBe(text);
              for (const call of calls) await copy.run(call);
            };
            const copies: (readonly unknown[])[] = [];
            await onNew(async (copy) => {
              const [command, ...args] = underTest.client(copy.url);
              execFileSync(command, [...args, ...clientOptions], { input: text, stdio: 'pipe' });
              await checkCopy(copy);
              copies.push(await logOf(copy));
            });
            await onNew(async (copy) => {
              const before = await textOf(copy);
              const tried = await importDumpFile(copy.url, text, { dry_run: true });
              expect(await textOf(copy)).toBe(before);
              const imported = await importDumpFile(copy.url, text);
              expect(imported.warnings).toEqual([]);
              expect(tried.routines_created).toEqual(imported.routines_created);
              await checkCopy(copy);
              copies.push(await logOf(copy));
            });
            for (const call of calls) await database.run(call);
            const called = await logOf(database);
            for (const copy of copies) expect(copy).toEqual(called);
          });
        }),
        { numRuns: name === 'sqlite' ? 60 : 15 },
      );
    },
    240_000,
  );

  test.skipIf(kit === undefined)(
    'with an error at any position leave nothing behind',
    async () => {
      const { tables, programs, definitions, broken } = kit!;
      await fc.assert(
        fc.asyncProperty(programs, fc.nat(), async ({ statements }, position) => {
          await onNew(async (database) => {
            await database.run(tables.join(';\n'));
            for (const statement of statements) await database.run(statement);
            await database.run("INSERT INTO film VALUES (2, 'after')");
            const parts = (await textOf(database)).split(/(?<=;\n)\n(?=CREATE |SET @saved)/);
            parts.splice(position % (parts.length + 1), 0, broken);
            await onNew(async (copy) => {
              const before = await textOf(copy);
              const failure = await failureOf(importDumpFile(copy.url, parts.join('\n')));
              expect(failure.code).toMatch(/^(?:import_failed|parse_failed)$/);
              expect(await textOf(copy)).toBe(before);
              expect(await copy.query(definitions)).toEqual([]);
            });
          });
        }),
        { numRuns: name === 'sqlite' ? 40 : 12 },
      );
    },
    240_000,
  );

  test.skipIf(kit === undefined)('are left out with routines=skip', async () => {
    const { tables, creation, definitions } = kit!;
    await onNew(async (database) => {
      const text = [...tables, creation, ''].join(';\n');
      const left = await importDumpFile(database.url, text, { routines: 'skip', dialect: name });
      expect(left.routines_created).toEqual([]);
      expect(left.warnings.join()).toMatch(/the (?:trigger|procedure) made\b.* is left out/);
      expect(await database.query(definitions)).toEqual([]);
    });
  });

  test.skipIf(kit === undefined)('are rejected if they reach outside of the database', async () => {
    const { tables, external, definitions } = kit!;
    for (const statement of external)
      await onNew(async (database) => {
        const before = await textOf(database);
        const text = [...tables, statement, ''].join(';\n');
        const failure = await failureOf(importDumpFile(database.url, text, { dialect: name }));
        expect(failure.code, statement).toBe('import_failed');
        expect(await textOf(database)).toBe(before);
        expect(await database.query(definitions)).toEqual([]);
      });
  });

  test.skipIf(kit === undefined)(
    "are those of the dumps of the database's own tool",
    async (context) => {
      const { programs, definitions, dumpTool } = kit!;
      await fc.assert(
        fc.asyncProperty(programs, async ({ statements, calls }) => {
          await onNew(async (database) => {
            await fill(database, statements);
            const dump = dumpTool(database.url);
            if (dump === undefined) return context.skip('pg_dump is older than the server');
            await onNew(async (copy) => {
              await importDumpFile(copy.url, dump);
              expect(await copy.query(definitions)).toEqual(await database.query(definitions));
              expect(await logOf(copy)).toEqual(await logOf(database));
              for (const call of calls) {
                await copy.run(call);
                await database.run(call);
              }
              expect(await logOf(copy)).toEqual(await logOf(database));
            });
          });
        }),
        { numRuns: name === 'sqlite' ? 40 : 12 },
      );
    },
    240_000,
  );

  test.skipIf(kit === undefined)(
    'are left out by name if their effects are unknown, on tables of others, or in another database',
    async () => {
      const { tables, unknown, foreign } = kit!;
      await onNew(async (database) => {
        await database.run('CREATE TABLE other (id integer)');
        const text = [...tables, ...unknown, ...foreign, ''].join(';\n');
        const left = await importDumpFile(database.url, text, { dialect: name });
        expect(left.routines_created).toEqual([]);
        for (const program of [...(unknown.length === 0 ? [] : ['dynamic']), 'elsewhere'])
          expect(left.warnings.join('\n')).toMatch(new RegExp(`${program}.* is left out`));
      });
    },
  );

  test.skipIf(kit === undefined)(
    'are those of one import if several import the same dump at once',
    async () => {
      await fc.assert(
        fc.asyncProperty(kit!.programs, delays, async (sample, others) => {
          await onNew(async (database) => {
            await fill(database, sample.statements);
            const text = await textOf(database);
            await onNew(async (copy) => {
              const outcomes = await Promise.allSettled([
                importDumpFile(copy.url, text),
                ...others.map((delay) => sleep(delay).then(() => importDumpFile(copy.url, text))),
              ]);
              const failed = outcomes.filter(({ status }) => status === 'rejected');
              expect(failed).toHaveLength(others.length);
              expect(await textOf(copy)).toBe(text);
            });
          });
        }),
        { numRuns: 10 },
      );
    },
    240_000,
  );

  test.skipIf(kit === undefined)('that exist are not replaced', async () => {
    const { tables, creation, definitions } = kit!;
    await onNew(async (database) => {
      await database.run([tables[0], creation].join(';\n'));
      const before = await textOf(database);
      const found = await database.query(definitions);
      const replacing = creation.replace('CREATE ', name === 'sqlite' ? 'CREATE ' : 'CREATE OR REPLACE '); // prettier-ignore
      const text = [tables[1], replacing, 'CREATE TABLE more (id integer)', ''].join(';\n');
      const importing = importDumpFile(database.url, text, { dialect: name });
      if (name === 'sqlite') {
        // The trigger is on a table that the file does not create.
        expect((await importing).warnings.join()).toMatch(/the trigger made is left out/);
      } else {
        expect((await failureOf(importing)).code).toMatch(/^(?:import_failed|parse_failed)$/);
        expect(await textOf(database)).toBe(before);
      }
      expect(await database.query(definitions)).toEqual(found);
    });
  });
});
