import { expect, test } from 'vitest';
import { databaseNames } from '../../../src/databases/index.ts';
import { everySubject } from './subjects.ts';
import { databaseKinds } from '../registered-databases.ts';

test('the kit tests every database of the registry, each with its own dialect', () => {
  expect(databaseKinds.map(({ dialect }) => dialect.name)).toEqual(databaseNames);
  expect(everySubject.map(({ name }) => name).toSorted()).toEqual(databaseNames.toSorted());
  expect(everySubject.map(({ dialect }) => dialect.name)).toEqual(
    everySubject.map(({ name }) => name),
  );
});
