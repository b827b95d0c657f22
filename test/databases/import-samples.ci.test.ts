/** Imports the small sample schemas. import-samples.full.test.ts has the others. */
import { describe, test } from 'vitest';
import { databasesUnderTest } from './kit/databases-under-test.ts';
import { expectSample } from './sample-imports.ts';
import { isSmall, sampleFiles } from './sample-files.ts';

const files = sampleFiles().filter(isSmall);

test('the samples are there', ({ skip }) => {
  if (files.length === 0) skip('no samples beside the repository');
});

describe.each(files)('$name', (file) => {
  const targets = databasesUnderTest.filter(
    ({ name }) => name === file.dialect || name === 'sqlite',
  );
  test.each(targets)('on $name', async (underTest) => {
    await expectSample(file, underTest);
  });
});
