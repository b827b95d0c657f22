import { expect, test } from 'vitest';
import { databaseKinds } from '../../../src/databases/index.ts';
import { subjects } from './subjects.ts';

test('every database of the registry goes through the kit', () => {
  const registered = databaseKinds.map(({ dialect }) => dialect);
  expect(new Set(subjects.map(({ dialect }) => dialect))).toEqual(new Set(registered));
  expect(subjects.map(({ name, dialect }) => [name, dialect.name])).toEqual(
    subjects.map(({ name }) => [name, name]),
  );
});
