import { describe, expect, test } from 'vitest';

import { StudioError } from '../../src/model/errors.ts';
import { readGoModels, modelsInMigrationOrder } from '../../src/gorm/models/read-go-models.ts';
import { createTable, planTable } from '../../src/gorm/migration/table-ddl.ts';
import { describeModels } from './describe-models.ts';
import {
  cases,
  configOf,
  dialects,
  filesOf,
  goldenOf,
  goldenRelations,
  isModule,
  normalizeStatements,
} from './goldens.ts';
import type { GormDialect } from '../../src/gorm/gorm-dialect.ts';
import type { GoldenRelations } from './goldens.ts';

function statementsOf(name: string, dialect: GormDialect): string[] {
  const { skipForeignKeys, ...options } = configOf(name);
  const tables = modelsInMigrationOrder(readGoModels(filesOf(name), options), dialect);
  return tables.flatMap((model) => {
    const plan = planTable(model, dialect);
    return createTable(skipForeignKeys ? { ...plan, foreignKeys: [] } : plan, dialect, []);
  });
}

/** Go type names and GORM's errors are not part of the models. */
function withoutGoTypes(golden: GoldenRelations): GoldenRelations {
  const models = golden.models.map(({ error: _error, ...model }) => ({
    ...model,
    fields: (model['fields'] as Record<string, unknown>[]).map(
      ({ go_type: _type, ...field }) => field,
    ),
  }));
  return { ...golden, models };
}

/** GORM rejects these on every database. */
function isRejected(name: string): boolean {
  const errors = dialects.map(({ driver }) => goldenOf(name, driver).error);
  return errors.every((error) => error !== undefined && error === errors[0]);
}

/**
 * GORM splits the last character of a column name if it is not ASCII, so the name of the unique
 * constraint is not valid UTF-8, and PostgreSQL and MySQL reject it. The studio keeps the
 * character.
 */
const cutInTwo = new Map([['uni_ΩRatios_приве��', 'uni_ΩRatios_привет']]);

function withWholeNames(statement: string): string {
  return [...cutInTwo].reduce((text, [cut, joined]) => text.replaceAll(cut, joined), statement);
}

describe.each(cases.filter((name) => !isRejected(name)))('%s', (name) => {
  test('has the models and relations that GORM finds', () => {
    const found = describeModels(readGoModels(filesOf(name), configOf(name)));
    const golden = withoutGoTypes(goldenRelations(name));
    if (isModule(name)) expect(found.models).toEqual(golden.models);
    else expect(found).toEqual(golden);
  });

  test('has the same result for any order of its files', () => {
    const files = filesOf(name);
    expect(describeModels(readGoModels(files.toReversed()))).toEqual(
      describeModels(readGoModels(files)),
    );
  });

  const accepting = dialects.filter(({ driver }) => goldenOf(name, driver).error === undefined);
  test.each(accepting.map((dialect) => [dialect.driver, dialect] as const))(
    "has GORM's statements on %s",
    (driver, dialect) => {
      const golden = goldenOf(name, driver).statements.map(withWholeNames);
      expect(normalizeStatements(statementsOf(name, dialect))).toEqual(normalizeStatements(golden));
    },
  );
});

describe.each(cases.filter(isRejected))('%s', (name) => {
  test("is rejected with GORM's reason, file, line and column", () => {
    const error = readError(name);
    const [first] = error.details['errors'] as { message: string; file: string; line: number }[];
    const gormError = goldenOf(name, 'sqlite').error ?? '';
    expect(error.code).toBe('import_failed');
    expect(first).toMatchObject({ file: 'models.go', line: expect.any(Number), column: 2 });
    expect(gormError.replace(/runner\/c\d+\./, '')).toContain(reasonOf(first?.message ?? ''));
  });
});

function readError(name: string): StudioError {
  try {
    readGoModels(filesOf(name));
  } catch (error) {
    if (error instanceof StudioError) return error;
    throw error;
  }
  throw new Error(`${name} was not rejected`);
}

/** Without the struct name before it, and Go's formatting of values after it. */
function reasonOf(message: string): string {
  return message.replace(/^\w+: /, '').replace(/(unsupported data type: ).*$/, '$1');
}
