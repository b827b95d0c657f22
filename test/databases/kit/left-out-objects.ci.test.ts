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

/** The other kinds of objects of each database. */
const objectChoices: Readonly<Record<string, readonly OtherObject[]>> = {
  sqlite: [
    trigger((name) => `CREATE TRIGGER ${name} AFTER INSERT ON film BEGIN SELECT 1; END`),
    trigger((name) => `CREATE TRIGGER ${name} BEFORE DELETE ON film BEGIN SELECT 1; END`),
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
            const comment = schemaFormats[(isPart ? 'sql' : format) as SchemaFormatName]?.comment;
            for (const { description, name } of expected) {
              const listed = description(name).replace(/^the (?:partition |statistics )?\S+ /, '');
              expect(warnings.join('\n'), format).toContain(listed);
              if (comment !== undefined)
                expect(text).toContain(`\n${comment} Left out: ${description(name)}\n`);
            }
            if (expected.length === 0) expect(warnings, format).toEqual([]);
          }
          await expectImportable(files);
        } finally {
          await database.drop();
        }
      }),
      { numRuns: runs[databaseName] ?? 3 },
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
