import { expect, test } from 'vitest';
import { readDdl as read } from './read-ddl.ts';

const tables = 'CREATE TABLE t (id int, a int);\nCREATE TABLE u (id int);\n';

test.each([
  ['mysql', 'RENAME TABLE u TO t', 'There is already a table t.'],
  ['mysql', 'ALTER TABLE u RENAME TO t', 'There is already a table t.'],
  ['mysql', 'ALTER TABLE t RENAME COLUMN a TO id', 'The table t already has a column id.'],
  ['mysql', 'ALTER TABLE t CHANGE a id int', 'The table t already has a column id.'],
  ['postgres', 'ALTER TABLE u RENAME TO t', 'There is already a table t.'],
  ['postgres', 'ALTER TABLE t RENAME a TO id', 'The table t already has a column id.'],
  ['sqlserver', "EXEC sp_rename 'u', 't'", 'There is already a table t.'],
  ['sqlserver', "EXEC sp_rename 't.a', 'id', 'COLUMN'", 'The table t already has a column id.'],
] as const)('%s: %s is rejected, because the name exists', async (dialect, statement, message) => {
  const { problems } = await read(dialect, `${tables}${statement};`);
  expect(problems.map((problem) => [problem.line, problem.message])).toEqual([[3, message]]);
});

test.each([
  ['mysql', 'RENAME TABLE t TO T'],
  ['mysql', 'RENAME TABLE t TO tmp, u TO t, tmp TO u'],
  ['postgres', 'ALTER TABLE t RENAME a TO b'],
  ['sqlserver', "EXEC sp_rename 't', 'T'"],
  ['sqlserver', "EXEC sp_rename 't.a', 'A', 'COLUMN'"],
] as const)('%s: %s is possible', async (dialect, statement) => {
  const { problems, schema } = await read(dialect, `${tables}${statement};`);
  expect(problems).toEqual([]);
  expect(schema.tables).toHaveLength(2);
});
