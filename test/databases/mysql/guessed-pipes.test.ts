/** `||` is OR in MySQL and joins texts in the dialects for which a script without marks may be written. */
import { expect, test } from 'vitest';
import { useMariadb } from '../../servers/mariadb.ts';
import { importDumpFile } from '../importing.ts';

const server = useMariadb();
const warned = expect.stringMatching(/^Line \d+: \|\| was read as SQL of mysql, where it is OR/);

test.each([
  ['a generated column', `CREATE TABLE a1 (b int,\n g varchar(9) AS (b||'!') STORED);`, true],
  ['a view', `CREATE TABLE a2 (b int); CREATE VIEW v2 AS SELECT b || 'x' AS c FROM a2;`, true],
  ['a text only', `CREATE TABLE a3 (b varchar(9) DEFAULT '||');`, false],
  ['a comment only', `CREATE TABLE a4 (b int); -- a || b`, false],
])('is named where the dialect is assumed: %s', async (_, script, isNamed) => {
  const { warnings } = await importDumpFile(server().url, script, { dry_run: true });
  if (isNamed) expect(warnings).toContainEqual(warned);
  else expect(warnings).not.toContainEqual(warned);
});

test('is not named where the dialect is known', async () => {
  const script = `CREATE TABLE a5 (b int, g varchar(9) AS (b||'!') STORED);`;
  for (const dialect of ['mysql', 'sqlite']) {
    const { warnings } = await importDumpFile(server().url, script, { dialect, dry_run: true });
    expect(warnings).not.toContainEqual(warned);
  }
});
