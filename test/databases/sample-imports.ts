import { expect } from 'vitest';
import { compareSchemas } from './compare-schemas.ts';
import { importFile, introspectUrl } from './import-job.ts';
import { nativeSchema } from './sample-files.ts';
import { sampleDifferences } from './sample-differences.ts';
import type { Schema } from '../../src/model/schema.ts';
import type { SampleFile } from './sample-files.ts';
import type { Subject } from './kit/subject.ts';

/** A file imported into a database is what its own client makes of it, or differs as it is known to. */
export async function expectSample(file: SampleFile, subject: Subject): Promise<void> {
  const known = sampleDifferences.find(
    (each) => each.file === file.name && each.database === subject.name,
  );
  const found = await imported(file, subject);
  if (known?.refused === true) {
    expect(found).toBeInstanceOf(Error);
    return;
  }
  if (found instanceof Error) throw found;
  const expected = await nativeSchema(file);
  // Of SQL Server there is no client to ask.
  if (expected === undefined) {
    expect(found.tables.length).toBeGreaterThan(0);
    return;
  }
  const differences = compareSchemas(expected, found, { native: file.dialect === subject.name });
  if (known === undefined) expect(differences).toEqual([]);
  else expect(differences).not.toEqual([]);
}

async function imported(file: SampleFile, subject: Subject): Promise<Schema | Error> {
  const database = await subject.makeDatabase();
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
