/** Versioned comments of files: which of them are code, compared with the server. */
import * as fc from 'fast-check';
import { createPool } from 'mysql2/promise';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mysqlLexicalRules } from '../../../src/databases/mysql/language/lexical-rules.ts';
import { skippedCommentsOf } from '../../../src/databases/mysql/language/skipped-comments.ts';
import { tokenize } from '../../../src/portable/lexer/lexer.ts';
import { useMariadb } from '../../servers/mariadb.ts';
import { importFile } from '../importing.ts';
import type { Pool, RowDataPacket } from 'mysql2/promise';
import type { SkippedComments } from '../../../src/model/skipped-comments.ts';

const mariadb = useMariadb();
let pool: Pool;
let skippedComments: SkippedComments;

beforeAll(async () => {
  pool = createPool({ uri: mariadb().url, multipleStatements: true, timezone: 'Z' });
  const [[server]] = await pool.query<RowDataPacket[]>('SELECT VERSION() AS version');
  const version = String(server?.['version']);
  skippedComments = skippedCommentsOf({ version, isMariadb: /mariadb/i.test(version) });
});
afterAll(() => pool.end());

/** The sum of the numbers that are code. */
function sumOfCode(text: string): number {
  return tokenize(text, { ...mysqlLexicalRules, skippedComments })
    .filter(({ kind }) => kind === 'number')
    .reduce((sum, { start, end }) => sum + Number(text.slice(start, end)), 0);
}

const versions = fc.oneof(
  fc.constantFrom('', '00000', '40101', '050001', '50699', '50700', '80023', '99998', '99999'),
  fc.constantFrom('100000', '101118', '101119', '101120', '120000', '999999'),
  fc.integer({ min: 10_000, max: 999_999 }).map(String),
);
const term = fc.integer({ min: 1, max: 99 }).map((number) => ` + ${number}`);
const plain = term.map((text) => `/* ${text} */`);
const versioned = fc
  .tuple(fc.constantFrom('!', 'M!'), versions, term, fc.option(plain, { nil: '' }), term)
  .map(([mark, version, ...parts]) => `/*${mark}${version}${parts.join('')} */`);
const expressions = fc
  .array(fc.oneof(term, plain, versioned), { maxLength: 8 })
  .map((parts) => `0${parts.join('')}`);

describe('versioned comments', () => {
  test('are code if the server runs them', async () => {
    const check = async (expression: string): Promise<void> => {
      const [[row]] = await pool.query<RowDataPacket[]>(`SELECT ${expression} AS total`);
      expect(sumOfCode(expression), expression).toBe(Number(row?.['total']));
    };
    await fc.assert(fc.asyncProperty(expressions, check), { numRuns: 300 });
  });

  test('that the server skips import no rows, and a warning says so', async () => {
    await pool.query('CREATE TABLE v (a int)');
    const script = [
      '/*M!999999\\- enable the sandbox mode */',
      'INSERT INTO v VALUES (1)/*!99999 ,(2) */;',
      '/*!99999 INSERT INTO v VALUES (3) */;',
      '/*!50001 INSERT INTO v VALUES (4) */;',
    ].join('\n');
    const { rows_imported, warnings } = await importFile(mariadb().url, ['v.sql', script]);
    expect(rows_imported).toBe(2);
    expect(warnings).toEqual([
      'Line 2: /*!99999 ,(2) */ and 1 more such comments were skipped, as the server skips them: they are code to other servers only.',
    ]);
  });

  test('with the history of a versioned table are rejected', async () => {
    await pool.query('CREATE TABLE h (id int PRIMARY KEY) WITH SYSTEM VERSIONING');
    const script = [
      '/*M!100100 SET @@session.system_versioning_insert_history=1 */;',
      'INSERT INTO `h` (`id`) VALUES (1);',
      '/*M!100100 SET system_versioning_insert_history=@old */;',
    ];
    await expect(importFile(mariadb().url, ['h.sql', script.join('\n')])).rejects.toThrow(
      /Line 1: .* precedes the history of a system-versioned table/,
    );
    const { rows_imported } = await importFile(mariadb().url, [
      'h.sql',
      script.slice(1).join('\n'),
    ]);
    expect(rows_imported).toBe(1);
  });
});
