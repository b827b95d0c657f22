/** Sample databases, exported in every format and created again from the export. */
import { describe, expect, test } from 'vitest';
import { deriveRelations } from '../../../src/model/relations.ts';
import { readSchemaFile, writeSchemaFile } from '../../../src/formats/schema-formats.ts';
import { loadSample, sampleDatabases } from '../sample-databases.ts';
import { describeOnEachDatabase } from './bench.ts';
import { exportText, introspect, madeBy, changesWithoutWarning } from './exported-structure.ts';
import { everySubject, subjects } from './subjects.ts';
import type { FileDialect } from '../../../src/formats/schema-formats.ts';
import type { Sample } from '../sample-databases.ts';
import type { NativeDatabase, Subject } from './subject.ts';

/** Loading takes long on a busy machine. */
const patience = 120_000;

export function describeSamples(isIncluded: (sample: Sample) => boolean): void {
  const all = sampleDatabases();
  describeOnEachDatabase('export of a sample', (bench) => {
    const { name } = bench.subject;
    const own = all.filter((sample) => sample.dialect === name && isIncluded(sample));
    // A suite without a test fails.
    if (own.length === 0)
      test('needs samples', ({ skip }) => skip('../shared/samples is not there'));
    describe.each(own.map((sample) => [sample.name, sample] as const))('%s', (_name, sample) => {
      test('has the same structure after an export as SQL', { timeout: patience }, async () => {
        await withSample(bench.subject, sample, async (native) => {
          const { text, warnings } = await exportText(native, { format: 'sql' });
          const after = await madeBy(bench.subject, text);
          expect(changesWithoutWarning(await introspect(native), after, warnings)).toEqual({});
        });
      });

      test(
        'has an equal schema after an export as JSON and YAML, and DBML that can be parsed',
        { timeout: patience },
        async () => {
          await withSample(bench.subject, sample, (native) => checkTexts(native, bench.subject));
        },
      );

      const others = subjects.filter((subject) => subject.name !== sample.dialect);
      test.each(others.map((subject) => [subject.name, subject] as const))(
        'is created on %s by SQL for that database',
        { timeout: patience },
        async (dialect, subject) => {
          await withSample(bench.subject, sample, async (native) => {
            const { text } = await exportText(native, { format: 'sql', dialect });
            const before = await introspect(native);
            const after = await madeBy(subject, text);
            const columns = (schema: typeof before): readonly string[] =>
              schema.tables
                .map(
                  (table) => `${table.name}: ${table.columns.map((column) => column.name).join()}`,
                )
                .toSorted();
            expect(columns(after)).toEqual(columns(before));
          });
        },
      );
    });
  });
}

async function withSample(
  subject: Subject,
  sample: Sample,
  work: (native: NativeDatabase) => Promise<void>,
): Promise<void> {
  const native = await subject.makeDatabase();
  try {
    await loadSample(sample, native);
    await work(native);
  } finally {
    await native.drop();
  }
}

async function checkTexts(native: NativeDatabase, { dialect }: Subject): Promise<void> {
  const schema = await introspect(native);
  const relations = deriveRelations(schema);
  const writing = {
    schema,
    dialect: dialect.name,
    title: dialect.ddl.productNames[0],
    relationsOf: (table: string) => relations.get(table) ?? [],
  };
  const dialects = everySubject.map((subject) => typeReader(subject));
  const hint = { target: typeReader({ dialect }), dialects, database: '' };
  for (const format of ['json', 'yaml'] as const) {
    const { text } = await writeSchemaFile(format, writing);
    expect(await readSchemaFile(format, text, hint)).toEqual({
      schema,
      dialect: dialect.name,
      warnings: [],
    });
  }
  const { text } = await writeSchemaFile('dbml', writing);
  const { schema: parsed } = await readSchemaFile('dbml', text, hint);
  expect(parsed.tables.map(columnFacts)).toEqual(schema.tables.map(columnFacts));
}

function typeReader({ dialect }: Pick<Subject, 'dialect'>): FileDialect {
  return {
    name: dialect.name,
    titles: dialect.ddl.productNames,
    // The native type stays the same, whatever its neutral type is.
    readType: (name) => ({ kind: 'other', name }),
    quoteText: (text) => dialect.ddl.quoteText(text),
  };
}

function columnFacts({
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
