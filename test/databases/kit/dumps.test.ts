/** Structure and rows as one file: exported, imported into an empty database, and exported again. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { expressionsOf } from '../../../src/databases/all.ts';
import { createSchema } from '../../../src/sql/create-schema.ts';
import { neutralSyntax } from '../../../src/sql/expression/neutral.ts';
import { translateSchema } from '../../../src/sql/translate-schema.ts';
import { dumpOf } from '../exporting.ts';
import { importDumpFile } from '../importing.ts';
import { describeOnEachDatabase, failureOf } from './harness.ts';
import { nativeRows } from './native-rows.ts';
import { columnTypes, randomTable } from './random-round-trip.ts';
import { runNatively } from './run-natively.ts';
import { runnableSchemas } from './runnable-schemas.ts';
import { onNewDatabase } from '../on-new-database.ts';
import type { KitDatabase } from './database-under-test.ts';

/** The comments at the beginning and the end of dumps. The `.dump` of SQLite ends with COMMIT. */
const commentsOfTools: Readonly<Record<string, { readonly first: string; readonly last: string }>> =
  {
    postgres: {
      first: '-- PostgreSQL database dump',
      last: '-- PostgreSQL database dump complete',
    },
    mysql: {
      first: '-- MariaDB dump 10.19  Distrib 10.11.6-MariaDB, for debian-linux-gnu (x86_64)',
      last: '-- Dump completed',
    },
  };

describeOnEachDatabase('dumps', (harness) => {
  const { underTest } = harness;
  const { name, dialect } = underTest;

  const onNew = (work: (database: KitDatabase) => Promise<void>): Promise<void> =>
    onNewDatabase(() => underTest.makeDatabase(), work);

  /** Without the comments at the beginning and the end, which name the database and what the script leaves out. */
  const textOf = async ({ url }: KitDatabase): Promise<string> =>
    (await dumpOf(url)).text.replace(/^(?:-- .*\n)*/, '').replace(/(?:-- Left out: .*\n)*$/, '');

  /** Whether an import and the database's own client create the same database from its dump. */
  const checkDump = async (database: KitDatabase): Promise<void> => {
    const text = await textOf(database);
    await onNew(async (copy) => {
      const before = await textOf(copy);
      await importDumpFile(copy.url, text, { dry_run: true });
      expect(await textOf(copy)).toBe(before);
      await importDumpFile(copy.url, text);
      expect(await textOf(copy)).toBe(text);
    });
    await onNew(async (copy) => {
      runNatively(underTest, copy.url, text);
      expect(await textOf(copy)).toBe(text);
    });
  };

  test('of all types are the same after a round trip', async () => {
    const { structure, rows } = nativeRows[name]!;
    await onNew(async (database) => {
      await database.run(structure);
      await database.run(rows);
      await checkDump(database);
    });
  }, 120_000);

  test.skipIf(!Object.hasOwn(columnTypes, name))(
    'of random tables are the same after a round trip',
    async () => {
      const tables = fc.tuple(randomTable(name, 't'), randomTable(name, 'T 2'), runnableSchemas);
      await fc.assert(
        fc.asyncProperty(tables, async ([first, second, schema]) => {
          const options = { from: neutralSyntax, to: expressionsOf(dialect), ddl: dialect.ddl };
          const translated = translateSchema(schema, options);
          const { statements } = createSchema(translated.schema, dialect.ddl, { native: false });
          await onNew(async (database) => {
            await database.run(statements.join(';\n'));
            for (const { structure, rows } of [first, second])
              for (const statement of [structure, ...rows]) await database.run(statement);
            await checkDump(database);
          });
        }),
        { numRuns: name === 'sqlite' ? 20 : 6 },
      );
    },
    240_000,
  );

  test('with foreign keys in a cycle are the same after a round trip', async () => {
    const quote = dialect.quoteName.bind(dialect);
    const cycle = fc.integer({ min: 1, max: 4 });
    await fc.assert(
      fc.asyncProperty(cycle, fc.integer({ min: 0, max: 3 }), async (length, rows) => {
        const nameOf = (i: number): string => quote(`c${i % length}`);
        const key = (i: number): string => `FOREIGN KEY (other) REFERENCES ${nameOf(i + 1)} (id)`;
        const created = Array.from({ length }, (_, i) => {
          // Only SQLite creates keys to tables that do not exist yet, and adds none later.
          const inTable = name === 'sqlite' ? `, ${key(i)}` : '';
          return `CREATE TABLE ${nameOf(i)} (id integer PRIMARY KEY, other integer${inTable})`;
        });
        const inserted = Array.from({ length: length * rows }, (_, i) => `INSERT INTO ${nameOf(i)} VALUES (${Math.floor(i / length)}, NULL)`); // prettier-ignore
        const added = Array.from({ length }, (_, i) => `ALTER TABLE ${nameOf(i)} ADD ${key(i)}`);
        const updated = Array.from({ length }, (_, i) => `UPDATE ${nameOf(i)} SET other = id`);
        const alters = name === 'sqlite' ? [] : added;
        await onNew(async (database) => {
          for (const statement of [...created, ...alters, ...inserted, ...updated])
            await database.run(statement);
          await checkDump(database);
          const { text } = await dumpOf(database.url);
          await onNew(async (copy) => {
            expect((await importDumpFile(copy.url, text)).warnings).toEqual([]);
          });
        });
      }),
      { numRuns: name === 'sqlite' ? 15 : 5 },
    );
  }, 120_000);

  test('with an error at any row leave nothing behind', async () => {
    const quote = dialect.quoteName.bind(dialect);
    const file = fc.record({
      rows: fc.integer({ min: 1, max: 12 }),
      tables: fc.integer({ min: 1, max: 4 }),
      error: fc.constantFrom('NULL', 'a second 1', 'no parent', 'not closed'),
    });
    await fc.assert(
      fc.asyncProperty(file, fc.nat(), async ({ rows, tables, error }, position) => {
        const statements = Array.from({ length: tables }, (_, i) => [
          `CREATE TABLE ${quote(`d${i}`)} (id integer PRIMARY KEY, parent integer NOT NULL, FOREIGN KEY (parent) REFERENCES ${quote('d0')} (id));\n`,
          ...Array.from(
            { length: rows },
            (_row, id) => `INSERT INTO ${quote(`d${i}`)} VALUES (${id + 1}, 1);\n`,
          ),
        ]);
        const wrongRow = {
          NULL: '(50, NULL);',
          'a second 1': '(1, 1);',
          'no parent': '(50, 999);',
          'not closed': "(50, 'a);",
        }[error];
        const of = statements[position % tables]!;
        of.splice(
          1 + (position % rows),
          0,
          `INSERT INTO ${quote(`d${position % tables}`)} VALUES ${wrongRow}\n`,
        );
        await onNew(async (database) => {
          const before = await textOf(database);
          const failure = await failureOf(importDumpFile(database.url, statements.flat().join('')));
          expect(failure.code).toMatch(/^(?:import_failed|parse_failed)$/);
          expect(await textOf(database)).toBe(before);
        });
      }),
      { numRuns: name === 'sqlite' ? 40 : 10 },
    );
  }, 240_000);

  test('into a database that has one of the tables are rejected', async () => {
    await onNew(async (database) => {
      await database.run('CREATE TABLE made (id integer PRIMARY KEY)');
      const text = 'CREATE TABLE other (id integer); CREATE TABLE made (id integer); INSERT INTO made VALUES (1);'; // prettier-ignore
      const failure = await failureOf(importDumpFile(database.url, text));
      expect(failure.code).toBe('table_exists');
      expect(failure.message).toContain('made');
    });
  });

  test('whose rows are those of a query are rejected', async () => {
    const text = 'CREATE TABLE one (id integer);\nCREATE TABLE two AS SELECT * FROM one;\n';
    const failure = await failureOf(importDumpFile(harness.database.url, text));
    expect([failure.code, failure['line']]).toEqual(['import_failed', 2]);
    expect(failure.message).toContain('rows of a query (CREATE)');
  });

  test('of pg_dump with many rows are read in linear time', async () => {
    const rows = Array.from({ length: 100_000 }, (_, id) => `${id}\tname ${id}\n`).join('');
    const text = `CREATE TABLE many (id bigint, name text);\nCOPY many (id, name) FROM stdin;\n${rows}\\.\nCREATE INDEX many_id ON many (id);\n`;
    await onNew(async (database) => {
      const { rows_imported: imported } = await importDumpFile(database.url, text);
      expect(imported).toBe(100_000);
    });
  }, 60_000);

  test('that change rows are rejected', async () => {
    const update = 'CREATE TABLE t (id integer);\nINSERT INTO t VALUES (1);\nUPDATE t SET id = 2;';
    const failure = await failureOf(importDumpFile(harness.database.url, update));
    expect([failure.code, failure['line']]).toEqual(['import_failed', 3]);
  });

  const createAndFill =
    'CREATE TABLE t (a integer NOT NULL, b integer);\nINSERT INTO t (a) VALUES (1);\n';

  test.each([
    'DROP TABLE t',
    'DROP TABLE IF EXISTS other, t',
    'ALTER TABLE t RENAME TO other',
    'ALTER TABLE t RENAME COLUMN a TO c',
    'ALTER TABLE t DROP COLUMN a',
    'ALTER TABLE t ALTER COLUMN b SET DEFAULT 9',
  ])('that change earlier rows by %s are rejected', async (statement) => {
    await onNew(async (database) => {
      const before = await textOf(database);
      const failure = await failureOf(
        importDumpFile(
          database.url,
          `${createAndFill}${statement};\nINSERT INTO t (a) VALUES (2);`,
        ),
      );
      expect([failure.code, failure['line']]).toEqual(['import_failed', 3]);
      expect(await textOf(database)).toBe(before);
    });
  });

  test('that drop and change other tables between rows are imported', async () => {
    await onNew(async (database) => {
      const other =
        'DROP TABLE IF EXISTS u;\nCREATE TABLE u (a integer);\nALTER TABLE u RENAME COLUMN a TO b;\n';
      const text = `DROP TABLE IF EXISTS t;\n${createAndFill}${other}INSERT INTO u (b) VALUES (2);\n`;
      const { tables } = await importDumpFile(database.url, text);
      expect(Object.values(tables).map((counts) => counts.rows_imported)).toEqual([1, 1]);
    });
  });

  const comments = commentsOfTools[name];

  test.skipIf(comments === undefined)(
    'of a tool that lack its last comment are imported with a warning',
    async () => {
      const { first, last } = comments!;
      const importedWarnings = async (text: string): Promise<readonly string[]> => {
        let warnings: readonly string[] = [];
        await onNew(async (database) => {
          ({ warnings } = await importDumpFile(database.url, text));
        });
        return warnings.filter((warning) => warning.includes('cut off'));
      };
      const text = `--\n${first}\n--\n${createAndFill}`;
      expect(await importedWarnings(text)).toEqual([
        expect.stringContaining(`"${last}" at its end`),
      ]);
      expect(await importedWarnings(`${text}--\n${last}\n`)).toEqual([]);
      expect(await importedWarnings(createAndFill)).toEqual([]);
    },
  );

  test('of the studio that are cut off between two statements are imported with a warning', async () => {
    await onNew(async (database) => {
      await database.run(`${createAndFill}CREATE TABLE u (a integer);\nINSERT INTO u VALUES (1);`);
      const { text } = await dumpOf(database.url);
      const ends = [...text.matchAll(/;\n/g)].map(({ index }) => index + 2);
      const position = fc.integer({ min: 0, max: ends.length - 1 });
      const cutOff = async (content: string): Promise<readonly string[]> => {
        let found: readonly string[] = [];
        await onNew(async (copy) => {
          const imported = importDumpFile(copy.url, content);
          // A transaction that is not committed is an error.
          const { warnings } = await imported.catch(() => ({ warnings: ['cut off'] }));
          found = warnings.filter((warning) => warning.includes('cut off'));
        });
        return found;
      };
      await fc.assert(
        fc.asyncProperty(position, async (at) => {
          expect(await cutOff(text.slice(0, ends[at]))).toHaveLength(1);
        }),
        { numRuns: 5 },
      );
      expect(await cutOff(text)).toEqual([]);
    });
  }, 120_000);

  test('that end within their last statement leave nothing behind', async () => {
    const last = 'SELECT max(a), (1 + 1) AS b FROM t WHERE a > 0';
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: last.length }), async (length) => {
        const cut = last.slice(0, length);
        await onNew(async (database) => {
          const before = await textOf(database);
          const failure = await failureOf(importDumpFile(database.url, createAndFill + cut));
          expect(failure.code).toMatch(/^(?:import_failed|parse_failed)$/);
          expect(await textOf(database)).toBe(before);
        });
      }),
      { numRuns: 10 },
    );
    await onNew((database) =>
      importDumpFile(database.url, `${createAndFill}${last};`).then(() => undefined),
    );
  }, 120_000);
});
