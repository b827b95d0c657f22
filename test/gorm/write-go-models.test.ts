/** Exported models that are read back contain every table, column and relation, whatever their names. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { readGoModels } from '../../src/gorm/models/read-go-models.ts';
import { tableModelOf } from '../../src/gorm/models/table-model.ts';
import { deriveRelations } from '../../src/model/relations.ts';
import { columnOf, schemaOf, tableOf } from '../sql/neutral-schema.ts';
import { generatedSchemas } from '../formats/generated-schemas.ts';
import { dialects, driverOf, goOf } from './write-models.ts';
import type { GormModel } from '../../src/gorm/models/gorm-model.ts';
import type { Schema } from '../../src/model/schema.ts';
import type { WriteOptions } from './write-models.ts';
import type { Dialect } from '../databases/registered-databases.ts';

function readBack(text: string): ReadonlyMap<string, GormModel> {
  const { models } = readGoModels([{ name: 'models.go', text }]);
  return new Map(models.map((model) => [model.table, model]));
}

function tablesWithModels(schema: Schema, dialect: Dialect): Schema['tables'] {
  const { goFields } = driverOf(dialect);
  return schema.tables.filter(
    (table) => goFields.tableName(table) !== undefined && table.columns.length > 0,
  );
}

describe.each(dialects.map((dialect) => [dialect.name, dialect] as const))('%s', (_, dialect) => {
  const options: readonly WriteOptions[] = [{}, { nulls: 'sql', json: true }];
  test.each(options)('has every table and column with its name, with %j', (writeOptions) => {
    fc.assert(
      fc.property(generatedSchemas({ namedTypes: false }), (schema) => {
        const models = readBack(goOf(schema, dialect, writeOptions).text);
        for (const table of tablesWithModels(schema, dialect)) {
          const columns = models.get(driverOf(dialect).goFields.tableName(table) ?? '')?.columns;
          expect(columns).toEqual(
            table.columns.map(({ name }) => name).filter((name) => !name.endsWith('\\')),
          );
        }
      }),
    );
  });

  test('has relations with the names of the schema, or a warning', () => {
    fc.assert(
      fc.property(generatedSchemas({ namedTypes: false }), (schema) => {
        const { text, warnings } = goOf(schema, dialect);
        const models = readBack(text);
        const derived = deriveRelations(schema);
        for (const table of tablesWithModels(schema, dialect)) {
          const model = models.get(driverOf(dialect).goFields.tableName(table) ?? '');
          const written = new Map(
            model === undefined
              ? []
              : tableModelOf(model).relations.map((relation) => [relation.name, relation]),
          );
          for (const { name, type, foreignKeys } of derived.get(table.name) ?? []) {
            const isLeftOut = warnings.some((warning) =>
              warning.startsWith(`${table.name}: The relation ${name} is left out`),
            );
            if (!isLeftOut && written.has(name))
              expect(written.get(name)).toMatchObject({ type, foreignKeys });
          }
        }
      }),
    );
  });

  test('is the same text each time', () => {
    fc.assert(
      fc.property(generatedSchemas({ namedTypes: false }), (schema) => {
        expect(goOf(structuredClone(schema), dialect)).toEqual(goOf(schema, dialect));
      }),
      { numRuns: 20 },
    );
  });

  test('leaves out views and tables whose names GORM cannot use, with a warning', () => {
    const text = columnOf('a', { kind: 'text' });
    const schema = schemaOf([tableOf('two words', [text])], {
      views: [tableOf('v', [text], { kind: 'view' })],
    });
    const { text: goCode, warnings } = goOf(schema, dialect);
    expect(warnings).toEqual([
      'The table two words is left out: GORM cannot use its name.',
      'Views are left out, because GORM creates none: v.',
    ]);
    for (const warning of warnings) expect(goCode).toContain(`// ${warning}`);
    expect(goCode).not.toContain('struct');
  });
});
