/** Imports every DBML sample into every database: everything in the file is created or has a warning. */
import { describe, expect, test } from 'vitest';
import { databasesUnderTest } from './kit/databases-under-test.ts';
import { dbmlDifference, dbmlDifferences } from './dbml-differences.ts';
import { dbmlSamples, importDbml, withoutWarning } from './dbml-samples.ts';

const files = dbmlSamples();

test('the samples are there', ({ skip }) => {
  if (files.length === 0) skip('no samples beside the repository');
  expect(files).toEqual(
    expect.arrayContaining(dbmlDifferences.flatMap((difference) => difference.files)),
  );
});

describe.skipIf(files.length === 0).each(databasesUnderTest)('on $name', (underTest) => {
  test.each(files)('%s', { timeout: 300_000 }, async (file) => {
    const knownDifference = dbmlDifference(file, underTest.name);
    const outcome = await importDbml(file, underTest);
    if (knownDifference?.rejected === true) {
      expect(outcome).toBeInstanceOf(Error);
      return;
    }
    if (outcome instanceof Error) throw outcome;
    expect(withoutWarning(outcome)).toEqual([]);
    if (knownDifference === undefined) expect(outcome.differences).toEqual([]);
    else expect(outcome.differences).not.toEqual([]);
  });
});
