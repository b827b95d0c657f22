/** The recorded cases give no warning of differences over the tables that the studio or GORM made of them. */
import { describe, expect, test } from 'vitest';

import { createStudio } from '../../src/studio/studio.ts';
import { databasesUnderTest } from '../databases/kit/databases-under-test.ts';
import { withJobsInProcess } from '../security/jobs-in-process.ts';
import { uploadModels } from '../databases/kit/upload-models.ts';
import { cases, configOf, filesOf, goldenOf } from './goldens.ts';
import type { KitDatabase } from '../databases/kit/database-under-test.ts';
import type { ImportModelsResponse } from '../../src/studio/import/schema/import-models.ts';

function input(name: string): object {
  const { naming = {}, skipForeignKeys } = configOf(name);
  const { tablePrefix, singularTables, replacements } = naming;
  return {
    ...(tablePrefix === undefined ? {} : { table_prefix: tablePrefix }),
    ...(singularTables === true ? { singular_tables: true } : {}),
    ...(replacements === undefined
      ? {}
      : { replacements: replacements.map((pair) => pair.join('=')).join(',') }),
    ...(skipForeignKeys ? { foreign_keys: 'skip' } : {}),
  };
}

async function importCase(url: string, name: string): Promise<ImportModelsResponse> {
  const files = Object.fromEntries(filesOf(name).map((file) => [file.name, file.text]));
  const studio = await createStudio({ url });
  try {
    return await uploadModels(withJobsInProcess(studio, url), files, input(name));
  } finally {
    await studio.close();
  }
}

function differencesOf({ warnings }: ImportModelsResponse): readonly string[] {
  return warnings.filter((warning) => warning.endsWith('it was not changed.'));
}

/** Runs the statements in an order in which each finds the tables that it references. */
async function runInAnyOrder(database: KitDatabase, statements: readonly string[]): Promise<void> {
  let waiting = statements;
  while (waiting.length > 0) {
    const failed: string[] = [];
    for (const statement of waiting)
      await database.run(statement).catch(() => failed.push(statement));
    if (failed.length === waiting.length) throw new Error(`rejected: ${failed.join('\n')}`);
    waiting = failed;
  }
}

const drivers = databasesUnderTest.filter(({ name }) =>
  ['sqlite', 'postgres', 'mysql'].includes(name),
);

describe.each(drivers)('$name', (driver) => {
  const accepted = cases.filter((name) => goldenOf(name, driver.name).error === undefined);

  test.each(accepted)('%s over tables of the studio', async (name) => {
    const database = await driver.makeDatabase();
    try {
      await importCase(database.url, name);
      const second = await importCase(database.url, name);
      expect(second.statements).toEqual([]);
      expect(differencesOf(second)).toEqual([]);
    } finally {
      await database.drop();
    }
  });

  test.each(accepted)('%s over tables of GORM', async (name) => {
    const database = await driver.makeDatabase();
    try {
      await runInAnyOrder(database, goldenOf(name, driver.name).statements);
      const response = await importCase(database.url, name);
      expect(response.tables_created).toEqual([]);
      expect(differencesOf(response)).toEqual([]);
    } finally {
      await database.drop();
    }
  });
});
