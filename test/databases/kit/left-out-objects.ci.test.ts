/**
 * Triggers, routines and the like: every export of the structure that leaves one out names it in a
 * warning.
 */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { readSchemaFile, schemaFormats } from '../../../src/formats/schema-formats.ts';
import { createStudio } from '../../../src/studio/studio.ts';
import { schemaContext } from '../../formats/generated-schemas.ts';
import { describeOnEachDatabase } from './harness.ts';
import type { SchemaFormatName } from '../../../src/formats/schema-formats.ts';
import type { KitDatabase } from './database-under-test.ts';

interface OtherObject {
  /** How warnings and comments name it. */
  readonly description: (name: string) => string;
  /** The statement that creates it, given a quoted name. */
  readonly createStatement: (quoted: string) => string;
  readonly isOfTable: boolean;
}

const trigger = (createStatement: OtherObject['createStatement']): OtherObject => ({
  description: (name) => `the trigger ${name} of film`,
  createStatement,
  isOfTable: true,
});

const other = (
  kind: string,
  createStatement: OtherObject['createStatement'],
  suffix = '',
): OtherObject => ({
  description: (name) => `the ${kind} ${name}${suffix}`,
  createStatement,
  isOfTable: false,
});

/** What the table has beyond its columns, keys and indexes. The name is that of another object. */
const attribute = (words: string, createStatement: string, kind = 'attribute'): OtherObject => ({
  description: () => `the ${kind} ${words} of film`,
  createStatement: () => createStatement,
  isOfTable: true,
});

/** A comment on an object of the database. */
const comment = (of: string, createStatement: string): OtherObject => ({
  description: () => `the comment on the ${of}`,
  createStatement: () => createStatement,
  isOfTable: false,
});

/** The other kinds of objects of each database. */
const objectChoices: Readonly<Record<string, readonly OtherObject[]>> = {
  sqlite: [
    trigger((name) => `CREATE TRIGGER ${name} AFTER INSERT ON film BEGIN SELECT 1; END`),
    trigger((name) => `CREATE TRIGGER ${name} BEFORE DELETE ON film BEGIN SELECT 1; END`),
    { ...other('setting', () => 'PRAGMA user_version = 7'), description: () => 'the setting PRAGMA user_version = 7' }, // prettier-ignore
    { ...other('setting', () => 'PRAGMA application_id = 9'), description: () => 'the setting PRAGMA application_id = 9' }, // prettier-ignore
  ],
  postgres: [
    trigger((name) => `CREATE TRIGGER ${name} BEFORE UPDATE ON film FOR EACH ROW EXECUTE FUNCTION suppress_redundant_updates_trigger()`), // prettier-ignore
    { ...trigger((name) => `CREATE POLICY ${name} ON film USING (true)`), description: (name) => `the policy ${name} of film` }, // prettier-ignore
    { ...trigger((name) => `CREATE RULE ${name} AS ON DELETE TO film DO ALSO SELECT 1`), description: (name) => `the rule ${name} of film` }, // prettier-ignore
    other('function', (name) => `CREATE FUNCTION ${name}(a integer) RETURNS integer LANGUAGE sql AS 'SELECT 1'`, '(a integer)'), // prettier-ignore
    other('procedure', (name) => `CREATE PROCEDURE ${name}() LANGUAGE sql AS 'SELECT 1'`, '()'),
    other('aggregate', (name) => `CREATE AGGREGATE ${name}(integer) (SFUNC = int4pl, STYPE = integer)`, '(integer)'), // prettier-ignore
    other('sequence', (name) => `CREATE SEQUENCE ${name}`),
    { ...trigger((name) => `CREATE STATISTICS ${name} ON id, (id + 1) FROM film`), description: (name) => `the statistics object ${name} of film` }, // prettier-ignore
    other('sequence', (name) => `CREATE SEQUENCE ${name} OWNED BY film.id`),
    { ...other('operator', () => 'CREATE OPERATOR @#@ (LEFTARG = integer, RIGHTARG = integer, FUNCTION = int4pl)'), description: () => 'the operator @#@' }, // prettier-ignore
    attribute('fillfactor=70', 'ALTER TABLE film SET (fillfactor = 70)'),
    attribute('fillfactor=80 of film_pkey', 'ALTER INDEX film_pkey SET (fillfactor = 80)'),
    attribute('STATISTICS 500 of id', 'ALTER TABLE film ALTER id SET STATISTICS 500'),
    attribute('n_distinct=5 of id', 'ALTER TABLE film ALTER id SET (n_distinct = 5)'),
    attribute('REPLICA IDENTITY FULL', 'ALTER TABLE film REPLICA IDENTITY FULL'),
    attribute('CLUSTER of film_pkey', 'ALTER TABLE film CLUSTER ON film_pkey'),
    comment('constraint film_pkey on table film', `COMMENT ON CONSTRAINT film_pkey ON film IS 'x'`),
    comment('schema public', `COMMENT ON SCHEMA public IS 'x'`),
    { ...other('cast', () => 'CREATE CAST (point AS date) WITH INOUT'), description: () => 'the cast point AS date' }, // prettier-ignore
    other('collation', (name) => `CREATE COLLATION ${name} (locale = 'C')`),
    other('conversion', (name) => `CREATE CONVERSION ${name} FOR 'LATIN1' TO 'UTF8' FROM iso8859_1_to_utf8`), // prettier-ignore
    other('operator family', (name) => `CREATE OPERATOR FAMILY ${name} USING btree`),
    other('text search dictionary', (name) => `CREATE TEXT SEARCH DICTIONARY ${name} (TEMPLATE = simple)`), // prettier-ignore
    other('text search configuration', (name) => `CREATE TEXT SEARCH CONFIGURATION ${name} (COPY = simple)`), // prettier-ignore
    other('foreign-data wrapper', (name) => `CREATE FOREIGN DATA WRAPPER ${name}`),
    other('publication', (name) => `CREATE PUBLICATION ${name}`),
    other('domain', (name) => `CREATE DOMAIN ${name} AS integer`),
    other('type', (name) => `CREATE TYPE ${name} AS (a integer)`),
  ],
  mysql: [
    trigger((name) => `CREATE TRIGGER ${name} BEFORE INSERT ON film FOR EACH ROW SET @made = 1`),
    {
      description: () => 'the partition clause PARTITION BY of film',
      createStatement: () => 'ALTER TABLE film PARTITION BY KEY () PARTITIONS 2',
      isOfTable: true,
    },
    attribute('MAX_ROWS=100', 'ALTER TABLE film MAX_ROWS = 100'),
    attribute('STATS_PERSISTENT=1', 'ALTER TABLE film STATS_PERSISTENT = 1'),
    attribute('the comment of the primary key', `ALTER TABLE film DROP PRIMARY KEY, ADD PRIMARY KEY (id) COMMENT 'x'`), // prettier-ignore
    other('function', (name) => `CREATE FUNCTION ${name}() RETURNS integer DETERMINISTIC RETURN 1`),
    other('procedure', (name) => `CREATE PROCEDURE ${name}() SET @made = 1`),
    other(
      'event',
      (name) => `CREATE EVENT ${name} ON SCHEDULE EVERY 1 YEAR DISABLE DO SET @made = 1`,
    ),
  ],
};

/** Characters of every kind, and those with a meaning in a comment, a header or a file. */
const oddNames = fc.uniqueArray(fc.stringMatching(/^[a-z]{2}[ a-z%"'`#/*:;,\\é名-]{0,12}[a-z]$/), {
  minLength: 6,
  maxLength: 6,
  selector: (name) => name.toLowerCase(),
});

const formats = Object.keys(schemaFormats) as SchemaFormatName[];

interface Exported {
  readonly text: string;
  readonly warnings: readonly string[];
}

/** The structure in every format, and as SQL for its one table. */
async function exported(database: KitDatabase): Promise<ReadonlyMap<string, Exported>> {
  const studio = await createStudio({ url: database.url, readOnly: true });
  try {
    const found = new Map<string, Exported>();
    const inputs = [...formats.map((format) => ({ format })), { format: 'sql', tables: ['film'] }];
    for (const input of inputs as { format: SchemaFormatName; tables?: string[] }[]) {
      const { body, meta } = await studio.perform('export-schema', input);
      const key = input.tables === undefined ? input.format : 'part';
      found.set(key, { text: String(body), warnings: meta.warnings ?? [] });
    }
    const models = await studio.perform('export-models', {});
    found.set('models', { text: '', warnings: models.meta.warnings ?? [] });
    return found;
  } finally {
    await studio.close();
  }
}

/** The words of a kind before its name. */
const kindWords = /^the (?:(?:partition|statistics|operator|foreign-data|text search) )?\S+ /;

const runs: Readonly<Record<string, number>> = { sqlite: 15 };

describeOnEachDatabase('objects beside tables and views', (harness) => {
  test('are named by every export that leaves them out', { timeout: 120_000 }, async () => {
    const { dialect, makeDatabase, name: databaseName } = harness.underTest;
    const choices = objectChoices[databaseName] ?? [];
    const selected = fc.uniqueArray(fc.constantFrom(...choices), { minLength: 1, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(selected, oddNames, async (selection, names) => {
        const database = await makeDatabase();
        try {
          await database.run('CREATE TABLE film (id integer PRIMARY KEY)');
          const objects = selection.map((making, i) => ({ ...making, name: names[i]! }));
          for (const { createStatement, name } of objects)
            await database.run(createStatement(dialect.quoteName(name)));
          const files = await exported(database);
          for (const [format, { text, warnings }] of files) {
            const isPart = format === 'part';
            const expected = objects.filter(({ isOfTable }) => isOfTable || !isPart);
            const mark = schemaFormats[(isPart ? 'sql' : format) as SchemaFormatName]?.comment;
            for (const { description, name } of expected) {
              const listed = description(name).replace(kindWords, '');
              expect(warnings.join('\n'), format).toContain(listed);
              if (mark !== undefined)
                expect(text).toContain(`\n${mark} Left out: ${description(name)}\n`);
            }
            if (expected.length === 0) expect(warnings, format).toEqual([]);
          }
          await expectImportable(files);
        } finally {
          await database.drop();
        }
      }),
      { numRuns: runs[databaseName] ?? 5 },
    );
  });

  /** A file with such warnings can be imported. */
  async function expectImportable(files: ReadonlyMap<string, Exported>): Promise<void> {
    const empty = await harness.underTest.makeDatabase();
    try {
      await empty.run(files.get('sql')?.text ?? '');
      for (const format of ['json', 'yaml', 'dbml'] as const) {
        const { schema } = await readSchemaFile(
          format,
          files.get(format)?.text ?? '',
          schemaContext,
        );
        expect(schema.tables.map(({ localName }) => localName)).toEqual(['film']);
      }
    } finally {
      await empty.drop();
    }
  }
});
