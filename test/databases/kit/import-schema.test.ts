/** A schema file creates its tables completely or not at all. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { StudioError } from '../../../src/model/errors.ts';
import { openJournal } from '../../../src/studio/import/schema/journal.ts';
import { undoJournals } from '../../../src/studio/import/schema/undo-journals.ts';
import { importText, introspectUrl, withContext } from '../import-job.ts';
import { databasesUnderTest } from './databases-under-test.ts';
import type { ImportSchemaResponse } from '../../../src/studio/import/schema/import-schema.ts';
import type { ImportRequest, ImportParameters } from '../import-job.ts';
import type { KitDatabase, DatabaseUnderTest } from './database-under-test.ts';

const shop = `
CREATE TABLE customers (id INTEGER PRIMARY KEY, email VARCHAR(100) NOT NULL, CONSTRAINT customers_email UNIQUE (email));
CREATE TABLE orders (
  id INTEGER PRIMARY KEY,
  customer_id INTEGER NOT NULL,
  state VARCHAR(10) DEFAULT 'new' NOT NULL,
  CONSTRAINT orders_customer FOREIGN KEY (customer_id) REFERENCES customers (id) ON DELETE CASCADE,
  CONSTRAINT orders_state CHECK (state IN ('new', 'done'))
);
CREATE INDEX orders_by_state ON orders (state, id);
INSERT INTO customers VALUES (1, 'a@example.org');
`;

/** Statements that the parser accepts and the database rejects, after a table that it accepts. */
const rejectedScripts: Readonly<Record<string, string>> = {
  sqlite:
    'CREATE TABLE fine (id INTEGER PRIMARY KEY); CREATE TABLE broken (a INTEGER); CREATE INDEX taken ON broken (a);',
  postgres:
    'CREATE TABLE fine (id INTEGER PRIMARY KEY); CREATE TABLE broken (a INTEGER CHECK (no_such_function(a)));',
  mysql:
    'CREATE TABLE fine (id INTEGER PRIMARY KEY); CREATE TABLE broken (a INTEGER CHECK (no_such_function(a)));',
  sqlserver:
    'CREATE TABLE fine (id INTEGER PRIMARY KEY); CREATE TABLE broken (a INTEGER CHECK (dbo.no_such_function(a) = 1));',
};

describe.each(databasesUnderTest)('import-schema on $name', (underTest: DatabaseUnderTest) => {
  let database: KitDatabase | undefined;
  let unavailableReason = '';

  beforeAll(async () => {
    try {
      await (await underTest.makeDatabase()).drop();
    } catch (error) {
      if (process.env['CI']) throw error;
      unavailableReason = String(error);
    }
  });
  beforeEach(async (context) => {
    if (unavailableReason !== '') context.skip(`no ${underTest.name}: ${unavailableReason}`);
    await database?.drop();
    database = await underTest.makeDatabase();
  });
  afterAll(() => database?.drop());

  const currentDatabase = (): KitDatabase => database!;
  const jobOptions = (parameters: ImportParameters = {}): ImportRequest => ({
    url: currentDatabase().url,
    parameters,
  });
  const importSchema = (
    text: string,
    parameters: ImportParameters = {},
    name = 'shop.sql',
  ): Promise<ImportSchemaResponse> =>
    importText(
      name,
      text,
      jobOptions({ dialect: name.endsWith('.sql') ? underTest.name : undefined, ...parameters }),
    );
  const tables = async (): Promise<readonly string[]> =>
    (await introspectUrl(currentDatabase().url)).tables.map(({ name }) => name).toSorted();
  const failure = async (work: Promise<unknown>): Promise<StudioError> => {
    const error: unknown = await work.then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    if (error instanceof StudioError) return error;
    throw new Error('The import did not fail.', { cause: error });
  };

  test('creates what the file defines and reports it', async () => {
    const response = await importSchema(shop, { data: 'skip' });
    expect(response).toMatchObject({
      message: '2 tables created.',
      tables_created: ['customers', 'orders'],
      warnings: expect.arrayContaining(['A statement changes data and is left out.']),
    });
    expect(response.statements.join()).toContain('CREATE TABLE');
    expect(response.go_code).toContain('package models');
    expect(response.go_code).toContain('type Order struct');
    const { tables: created } = await introspectUrl(currentDatabase().url);
    const orders = created.find(({ name }) => name === 'orders');
    expect(orders?.foreignKeys).toMatchObject([
      {
        name: 'orders_customer',
        columns: ['customer_id'],
        table: 'customers',
        onDelete: 'cascade',
      },
    ]);
    expect(orders?.columns.map(({ name, nullable }) => [name, nullable])).toEqual([
      ['id', false],
      ['customer_id', false],
      ['state', false],
    ]);
    expect(orders?.indexes.some(({ name }) => name === 'orders_by_state')).toBe(true);
    expect(orders?.checks).toHaveLength(1);
  });

  test('rejects statements that change data, with a hint and a position', async () => {
    const before = await introspectUrl(currentDatabase().url);
    const error = await failure(importSchema(shop));
    expect(error.code).toBe('import_failed');
    expect(error.message).toContain('set data to skip');
    expect(error.details).toMatchObject({
      line: 11,
      column: 1,
      errors: [{ code: 'statement_refused', line: 11 }],
    });
    expect(await introspectUrl(currentDatabase().url)).toEqual(before);
  });

  test('reports every syntax error with its position, and creates nothing', async () => {
    const error = await failure(
      importSchema(`${shop}\nCREATE TABLE x (id INTEGER,,);\nCREATE TABLE y (,);`, {
        data: 'skip',
      }),
    );
    expect(error.code).toBe('parse_failed');
    expect(error.details['errors']).toMatchObject([
      { code: 'parse_failed', line: 13, column: 28 },
      { code: 'parse_failed', line: 14, column: 17 },
    ]);
    expect(await tables()).toEqual([]);
  });

  test('reports a table that already exists', async () => {
    await importSchema('CREATE TABLE customers (id INTEGER PRIMARY KEY);');
    const error = await failure(importSchema(shop, { data: 'skip' }));
    expect(error.code).toBe('table_exists');
    expect(error.message).toContain('customers');
    expect(await tables()).toEqual(['customers']);
  });

  test('leaves an existing table as it is on request', async () => {
    await importSchema('CREATE TABLE customers (id INTEGER PRIMARY KEY);');
    const response = await importSchema(shop, { data: 'skip', if_exists: 'skip' });
    expect(response.tables_created).toEqual(['orders']);
    expect(response.warnings).toContain('customers already exists and stays as it is.');
    const { tables: created } = await introspectUrl(currentDatabase().url);
    expect(created.find(({ name }) => name === 'customers')?.columns).toHaveLength(1);
    expect(created.find(({ name }) => name === 'orders')?.foreignKeys).toHaveLength(1);
  });

  test('drops no existing table', async () => {
    await importSchema('CREATE TABLE kept (id INTEGER PRIMARY KEY);');
    const error = await failure(importSchema('DROP TABLE IF EXISTS never;\nDROP TABLE kept;'));
    expect(error.details['errors']).toMatchObject([
      { code: 'statement_refused', table: 'kept', line: 2 },
    ]);
    expect((await importSchema('DROP TABLE IF EXISTS never;')).tables_created).toEqual([]);
    expect(await tables()).toEqual(['kept']);
  });

  test('creates nothing in a dry run', async () => {
    const before = await introspectUrl(currentDatabase().url);
    const response = await importSchema(shop, { data: 'skip', dry_run: true });
    expect(response).toMatchObject({
      dry_run: true,
      verified: true,
      tables_created: ['customers', 'orders'],
    });
    expect(response.statements.length).toBeGreaterThan(1);
    expect(response.go_code).toContain('type Order struct');
    expect(await tables()).toEqual([]);
    expect(await introspectUrl(currentDatabase().url)).toEqual(before);
  });

  test('undoes earlier statements if the database rejects a later one', async () => {
    if (underTest.name === 'sqlite')
      await currentDatabase().run('CREATE TABLE other (a); CREATE INDEX taken ON other (a)');
    const before = await tables();
    const error = await failure(importSchema(rejectedScripts[underTest.name] ?? ''));
    expect(error.code).toBe('import_failed');
    expect(error.details['errors']).toMatchObject([{ code: 'import_failed', table: 'broken' }]);
    expect(await tables()).toEqual(before);
    expect(
      (await failure(importSchema(rejectedScripts[underTest.name] ?? '', { dry_run: '1' }))).code,
    ).toBe('import_failed');
    expect(await tables()).toEqual(before);
  });

  test('creates tables from JSON, YAML and DBML', async () => {
    await importSchema(
      '{"tables":[{"name":"a","columns":[{"name":"id","type":"integer","is_primary_key":true},{"name":"b","type":"varchar(20)"}]}]}',
      {},
      'a.json',
    );
    await importSchema(
      'tables:\n  - name: c\n    columns:\n      - {name: id, type: integer}\n',
      {},
      'c.yaml',
    );
    await importSchema(
      'Table d {\n  id int [pk, increment]\n  a_id int [ref: > e.id, not null]\n  at timestamp [default: `now()`]\n}\nTable e {\n  id int [pk]\n}',
      {},
      'd.dbml',
    );
    expect(await tables()).toEqual(['a', 'c', 'd', 'e']);
    const { tables: created } = await introspectUrl(currentDatabase().url);
    const d = created.find(({ name }) => name === 'd');
    expect(d?.foreignKeys).toMatchObject([{ columns: ['a_id'], table: 'e' }]);
    expect(d?.columns.find(({ name }) => name === 'at')?.default).toBeDefined();
  });

  test('detects the format of a file, or reports that it cannot', async () => {
    expect(
      (await importSchema('CREATE TABLE a (id INTEGER)', {}, 'noending')).tables_created,
    ).toEqual(['a']);
    expect((await failure(importSchema('x', {}, 'a.csv'))).code).toBe('unsupported_media_type');
    expect((await failure(importSchema(shop, { dialect: 'oracle' }))).code).toBe(
      'invalid_parameter',
    );
    expect((await failure(importSchema(shop, { data: 'keep' }))).code).toBe('invalid_parameter');
    expect((await failure(importSchema('{"tables": [', {}, 'a.json'))).code).toBe('parse_failed');
    const wide = Buffer.from('\ufeffCREATE TABLE wide (id INTEGER)', 'utf16le');
    expect((await importText('wide.sql', wide, jobOptions())).tables_created).toEqual(['wide']);
  });

  test('accepts a schema of every other dialect', async () => {
    const texts: Readonly<Record<string, string>> = {
      mysql:
        "CREATE TABLE `m x` (`id` int unsigned NOT NULL AUTO_INCREMENT, ok tinyint(1) DEFAULT '0', k enum('a','b') NOT NULL DEFAULT 'a', PRIMARY KEY (`id`), KEY k (k)) ENGINE=InnoDB;",
      postgres: `CREATE TYPE mood AS ENUM ('glad', 'sad'); CREATE TABLE "p x" (id serial PRIMARY KEY, m public.mood DEFAULT 'glad'::public.mood, at timestamptz DEFAULT now(), tags text[], CHECK ((m)::text <> 'x'::text));`,
      sqlserver:
        "CREATE TABLE [dbo].[s x]([id] [int] IDENTITY(1,1) NOT NULL, [n] [nvarchar](20) NOT NULL DEFAULT (N'it''s'), [f] [bit] NOT NULL DEFAULT ((1)), CONSTRAINT [pk] PRIMARY KEY CLUSTERED ([id] ASC) ON [PRIMARY])\nGO\n",
      sqlite:
        "CREATE TABLE [l x] (id INTEGER PRIMARY KEY AUTOINCREMENT, d TEXT DEFAULT (datetime('now')), b BLOB, n NUMERIC CHECK (n > 0));",
    };
    for (const [dialect, text] of Object.entries(texts)) {
      const response = await importText('other.sql', text, jobOptions());
      expect([dialect, response.tables_created.length]).toEqual([dialect, 1]);
    }
    const { tables: created } = await introspectUrl(currentDatabase().url);
    expect(created.map(({ name }) => name).toSorted()).toEqual(['l x', 'm x', 'p x', 's x']);
    for (const { columns } of created)
      expect(columns[0]).toMatchObject({ name: 'id', autoIncrement: true });
  });

  test('reads a dialect that only its syntax shows', async () => {
    const text = `CREATE TABLE "hint_a" ("Id" INT NOT NULL, CONSTRAINT "PK_hint_a" PRIMARY KEY ("Id"));
      CREATE TABLE "hint_b" ("Id" INT NOT NULL, CONSTRAINT "PK_hint_b" PRIMARY KEY ("Id"));
      ALTER TABLE "hint_b" ADD CONSTRAINT "FK_hint" FOREIGN KEY ("Id") REFERENCES "hint_a" ("Id");`;
    const response = await importText('other.sql', text, jobOptions());
    expect(response.tables_created).toEqual(['hint_a', 'hint_b']);
    const isNamed = response.warnings.some((warning) => warning.includes('was read as SQL of'));
    // Its ALTER TABLE adds no foreign keys; the others read the text as their own.
    expect(isNamed).toBe(underTest.name === 'sqlite');
  });

  test('names a table without columns, where the database has none', async () => {
    const created = importSchema('CREATE TABLE bare ();', { dialect: 'postgres' });
    if (underTest.dialect.ddl.allowsNoColumns)
      expect((await created).tables_created).toEqual(['bare']);
    else expect((await failure(created)).message).toContain('bare has no columns');
  });

  // Other databases run DDL in a transaction, so nothing remains to be undone.
  const commitsAtOnce = underTest.dialect.ddl.ddlUndo === undefined ? [] : [underTest.name];
  test.each(commitsAtOnce)(
    'after a crash, the next start undoes %s, except tables with rows',
    async () => {
      const stateDir = mkdtempSync(join(tmpdir(), 'studio-journal-'));
      try {
        await importSchema('CREATE TABLE older (id INTEGER PRIMARY KEY);');
        await withContext({ url: currentDatabase().url, stateDir }, async (job) => {
          const journal = await openJournal(job);
          const added = ['more', 'filled', 'missing'].map((column) => ({ table: 'older', column, undo: `ALTER TABLE older DROP COLUMN ${column}` })); // prettier-ignore
          await job.database.transaction('ddl', async (session) => {
            await journal.lock(session);
            for (const name of ['left', 'used', 'never']) await journal.record(name);
            for (const addition of added) await journal.record(addition);
            await journal.record({
              table: 'older',
              object: 'index more_index',
              undo: 'ALTER TABLE older DROP INDEX more_index',
            });
            // A studio that starts during the import leaves its tables alone.
            expect(await withContext({ url: currentDatabase().url, stateDir }, undoJournals)).toMatchObject({ removed: [], pending: expect.arrayContaining(['left', 'older.more']) }); // prettier-ignore
          });
          await journal.keep();
        });
        await importSchema(
          'CREATE TABLE `left` (id INTEGER PRIMARY KEY, u INTEGER);\nCREATE TABLE used (id INTEGER PRIMARY KEY);\nALTER TABLE `left` ADD FOREIGN KEY (u) REFERENCES used (id);',
        );
        await currentDatabase().run(
          "INSERT INTO used VALUES (1); INSERT INTO older VALUES (1); ALTER TABLE older ADD more INTEGER NOT NULL DEFAULT 3, ADD filled TEXT; CREATE INDEX more_index ON older (more); UPDATE older SET filled = 'x'",
        );
        const undone = await withContext({ url: currentDatabase().url, stateDir }, (job) =>
          undoJournals(job),
        );
        expect(undone).toEqual({
          removed: ['index more_index', 'older.more', 'left'],
          used: ['older.filled', 'used'],
          doubtful: [],
          pending: [],
          failures: [],
          completed: [],
          leftOut: [],
          damaged: [],
          unknown: [],
        });
        expect(await tables()).toEqual(['older', 'used']);
        const older = (await introspectUrl(currentDatabase().url)).tables.find(
          ({ name }) => name === 'older',
        );
        expect(older?.columns.map(({ name }) => name)).toEqual(['id', 'filled']);
        expect(older?.indexes).toEqual([]);
        const again = await withContext({ url: currentDatabase().url, stateDir }, (job) =>
          undoJournals(job),
        );
        expect(again).toEqual({
          removed: [],
          used: [],
          doubtful: [],
          pending: [],
          failures: [],
          completed: [],
          leftOut: [],
          damaged: [],
          unknown: [],
        });
        await importText('ok.sql', 'CREATE TABLE fine (id INTEGER)', { ...jobOptions(), stateDir });
        expect(
          readdirSync(stateDir, { recursive: true }).filter((name) =>
            String(name).endsWith('.journal'),
          ),
        ).toEqual([]);
      } finally {
        rmSync(stateDir, { recursive: true, force: true });
      }
    },
  );
});
