/** Sample databases, exported in every format and created again from the export. */
import { describe, expect, test } from 'vitest';
import { deriveRelations } from '../../../src/model/relations.ts';
import { readSchemaFile, writeSchemaFile } from '../../../src/formats/schema-formats.ts';
import { loadSample, sampleDatabases } from '../sample-databases.ts';
import { describeOnEachDatabase } from './harness.ts';
import {
  exportText,
  introspect,
  structureCreatedBy,
  changesWithoutWarning,
} from './exported-structure.ts';
import { allDatabasesUnderTest, databasesUnderTest } from './databases-under-test.ts';
import type { FileDialect } from '../../../src/formats/schema-formats.ts';
import type { Sample } from '../sample-databases.ts';
import type { KitDatabase, DatabaseUnderTest } from './database-under-test.ts';

/** Loading takes long on a busy machine. */
const timeoutMs = 120_000;

export function describeSamples(isIncluded: (sample: Sample) => boolean): void {
  const all = sampleDatabases();
  describeOnEachDatabase('export of a sample', (harness) => {
    const { name } = harness.underTest;
    const ownSamples = all.filter((sample) => sample.dialect === name && isIncluded(sample));
    // A suite without a test fails.
    if (ownSamples.length === 0)
      test('needs samples', ({ skip }) => skip('../shared/samples is not there'));
    describe.each(ownSamples.map((sample) => [sample.name, sample] as const))(
      '%s',
      (_name, sample) => {
        test('has the same structure after an export as SQL', { timeout: timeoutMs }, async () => {
          await withSample(harness.underTest, sample, async (database) => {
            const { text, warnings } = await exportText(database, { format: 'sql' });
            const after = await structureCreatedBy(harness.underTest, text);
            expect(changesWithoutWarning(await introspect(database), after, warnings)).toEqual({});
          });
        });

        test(
          'has an equal schema after an export as JSON and YAML, and DBML that can be parsed',
          { timeout: timeoutMs },
          async () => {
            await withSample(harness.underTest, sample, (database) =>
              checkTexts(database, harness.underTest),
            );
          },
        );

        const others = databasesUnderTest.filter((underTest) => underTest.name !== sample.dialect);
        test.each(others.map((underTest) => [underTest.name, underTest] as const))(
          'is created on %s by SQL for that database',
          { timeout: timeoutMs },
          async (dialect, underTest) => {
            await withSample(harness.underTest, sample, async (database) => {
              const { text } = await exportText(database, { format: 'sql', dialect });
              const before = await introspect(database);
              const after = await structureCreatedBy(underTest, text);
              const columns = (schema: typeof before): readonly string[] =>
                schema.tables
                  .map(
                    (table) =>
                      `${table.name}: ${table.columns.map((column) => column.name).join()}`,
                  )
                  .toSorted();
              expect(columns(after)).toEqual(columns(before));
            });
          },
        );
      },
    );
  });
}

async function withSample(
  underTest: DatabaseUnderTest,
  sample: Sample,
  work: (database: KitDatabase) => Promise<void>,
): Promise<void> {
  const database = await underTest.makeDatabase();
  try {
    await loadSample(sample, database);
    await work(database);
  } finally {
    await database.drop();
  }
}

async function checkTexts(database: KitDatabase, { dialect }: DatabaseUnderTest): Promise<void> {
  const schema = await introspect(database);
  const relations = deriveRelations(schema);
  const input = {
    schema,
    dialect: dialect.name,
    title: dialect.ddl.productNames[0],
    relationsOf: (table: string) => relations.get(table) ?? [],
  };
  const dialects = allDatabasesUnderTest.map((underTest) => typeReader(underTest));
  const context = { target: typeReader({ dialect }), dialects, database: '' };
  for (const format of ['json', 'yaml'] as const) {
    const { text } = await writeSchemaFile(format, input);
    expect(await readSchemaFile(format, text, context)).toEqual({
      schema,
      dialect: dialect.name,
      warnings: [],
    });
  }
  const { text } = await writeSchemaFile('dbml', input);
  const { schema: parsed } = await readSchemaFile('dbml', text, context);
  expect(parsed.tables.map(columnSummary)).toEqual(schema.tables.map(columnSummary));
}

function typeReader({ dialect }: Pick<DatabaseUnderTest, 'dialect'>): FileDialect {
  return {
    name: dialect.name,
    titles: dialect.ddl.productNames,
    // The native type stays the same, whatever its neutral type is.
    readType: (name) => ({ kind: 'other', name }),
    quoteText: (text) => dialect.ddl.quoteText(text),
  };
}

function columnSummary({
  localName,
  columns,
  primaryKey,
}: {
  readonly localName: string;
  readonly columns: readonly { readonly name: string; readonly comment?: string }[];
  readonly primaryKey?: { readonly columns: readonly string[] };
}): object {
  return {
    localName,
    columns: columns.map(({ name }) => name),
    key: primaryKey?.columns ?? [],
  };
}
