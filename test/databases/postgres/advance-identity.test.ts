/** The statement that moves a sequence past the rows has variables, which no column's name may mean. */
import { expect, test } from 'vitest';
import { advanceIdentity } from '../../../src/databases/postgres/dialect/ddl.ts';
import { usePostgres } from '../../servers/postgres.ts';

const server = usePostgres();

test.each([
  'id',
  'steps',
  'lowest',
  'highest',
  'reached',
  'owned',
  'is_behind',
  'v',
  'x',
  't',
  'q',
])('a column with the name %s', async (column) => {
  const name = `of_${column}`;
  await server().query(`CREATE TABLE ${name} ("${column}" serial PRIMARY KEY, other int);
      INSERT INTO ${name} ("${column}") VALUES (7), (41)`);
  await server().query(advanceIdentity({ name, localName: name }, column));
  const rows = await server().query(
    `INSERT INTO ${name} (other) VALUES (1) RETURNING "${column}" AS next`,
  );
  expect(rows).toEqual([{ next: 42 }]);
});
