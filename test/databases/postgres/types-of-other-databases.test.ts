/** Scripts that show no dialect, with types that PostgreSQL does not have. */
import { expect, test } from 'vitest';
import { usePostgres } from '../../servers/postgres.ts';
import { importDumpFile } from '../importing.ts';

const server = usePostgres();

test.each([
  ['d datetime', true],
  ['n tinyint', true],
  ['n integer', false],
  ['t varchar(9)', false],
])('with %s say how they were read', async (column, isForeign) => {
  const { url } = server();
  const name = `t_${column.replaceAll(/\W/g, '_')}`;
  const script = `CREATE TABLE ${name} (id integer, ${column});\n`;
  const { warnings } = await importDumpFile(url, script);
  const found = warnings.filter((warning) => /was read as SQL of postgres/.test(warning));
  expect(found).toHaveLength(isForeign ? 1 : 0);
  // The user has said what it is.
  const again = script.replace(name, `${name}_again`);
  const { warnings: others } = await importDumpFile(url, again, { dialect: 'postgres' });
  expect(others.filter((warning) => /was read as/.test(warning))).toEqual([]);
});
