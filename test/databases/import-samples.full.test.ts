/** Imports every sample schema into every database. */
import { describe, expect, test } from 'vitest';
import { databasesUnderTest } from './kit/databases-under-test.ts';
import { sampleNames } from './sample-differences.ts';
import { expectSample } from './sample-imports.ts';
import { sampleFiles } from './sample-files.ts';

const files = sampleFiles();

test('the samples are there', ({ skip }) => {
  if (files.length === 0) skip('no samples beside the repository');
});

test.skipIf(files.length === 0)('the documents name all of them', () => {
  expect(files.map(({ name }) => name).toSorted()).toEqual(sampleNames.toSorted());
});

describe.each(files)('$name', (file) => {
  test.each(databasesUnderTest)('on $name', { timeout: 300_000 }, async (underTest) => {
    await expectSample(file, underTest);
  });
});
