import { expect } from 'vitest';
import { compareSchemas } from './compare-schemas.ts';
import { importFile, introspectUrl } from './import-job.ts';
import { nativeSchema } from './sample-files.ts';
import { sampleDifferences } from './sample-differences.ts';
import type { Schema } from '../../src/model/schema.ts';
import type { SampleFile } from './sample-files.ts';
import type { DatabaseUnderTest } from './kit/database-under-test.ts';

/** An imported file has the same result as with the database's own client, except for the reviewed differences. */
export async function expectSample(file: SampleFile, underTest: DatabaseUnderTest): Promise<void> {
  const knownDifference = sampleDifferences.find(
    (each) => each.file === file.name && each.database === underTest.name,
  );
  const found = await imported(file, underTest);
  if (knownDifference?.rejected === true) {
    expect(found).toBeInstanceOf(Error);
    return;
  }
  if (found instanceof Error) throw found;
  const expected = await nativeSchema(file);
  // There is no client for SQL Server to compare with.
  if (expected === undefined) {
    expect(found.tables.length).toBeGreaterThan(0);
    return;
  }
  const differences = compareSchemas(expected, found, { native: file.dialect === underTest.name });
  if (knownDifference === undefined) expect(differences).toEqual([]);
  else expect(differences).not.toEqual([]);
}

async function imported(file: SampleFile, underTest: DatabaseUnderTest): Promise<Schema | Error> {
  const database = await underTest.makeDatabase();
  try {
    const parameters = { data: 'skip', dialect: file.dialect };
    await importFile(file.path, { url: database.url, parameters });
    return await introspectUrl(database.url);
  } catch (error) {
    if (error instanceof Error) return error;
    throw error;
  } finally {
    await database.drop();
  }
}
