import { expect, test } from 'vitest';
import { databaseNames } from '../../../src/databases/index.ts';
import { allDatabasesUnderTest } from './databases-under-test.ts';
import { databaseKinds } from '../registered-databases.ts';

test('the kit tests every database of the registry, each with its own dialect', () => {
  expect(databaseKinds.map(({ dialect }) => dialect.name)).toEqual(databaseNames);
  expect(allDatabasesUnderTest.map(({ name }) => name).toSorted()).toEqual(
    databaseNames.toSorted(),
  );
  expect(allDatabasesUnderTest.map(({ dialect }) => dialect.name)).toEqual(
    allDatabasesUnderTest.map(({ name }) => name),
  );
});
