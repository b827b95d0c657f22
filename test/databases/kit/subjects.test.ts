import { expect, test } from 'vitest';
import { databaseKinds } from '../../../src/databases/index.ts';
import { everySubject } from './subjects.ts';

test('every database of the registry goes through the kit, in its own dialect', () => {
  const registered = databaseKinds.map(({ dialect }) => dialect.name);
  expect(everySubject.map(({ name }) => name).toSorted()).toEqual(registered.toSorted());
  expect(everySubject.map(({ dialect }) => dialect.name)).toEqual(
    everySubject.map(({ name }) => name),
  );
});
