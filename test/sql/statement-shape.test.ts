/**
 * Texts of a file do not change the structure of the statement that contains them, according to
 * PostgreSQL's own parser.
 */
import * as fc from 'fast-check';
import { loadModule, parseSync } from 'libpg-query';
import { expect, test } from 'vitest';
import { postgresLexicalRules } from '../../src/databases/postgres/language/lexical-rules.ts';
import { shapeProblems } from '../../src/sql/statement-shape.ts';

const words = fc.constantFrom(
  ...['1', '1', '= 1', '(', ')', ')', ',', "'x,)'", '"q,)"', '/* ) */', '-- )\n', '+ (2)', 'x int'],
  ...['INHERITS (t', 'WITH (fillfactor = 10', 'PARTITION BY LIST (a', 'DROP COLUMN b', 'CHECK (1'],
);
const fragment = fc.array(words, { minLength: 1, maxLength: 7 }).map((list) => list.join(' '));

/** Statements that contain a text of the file, as imports of structure create them. */
const made: readonly ((text: string) => string)[] = [
  (text) => `CREATE TABLE "a" (\n  "b" int DEFAULT ${text},\n  "c" int\n)`,
  (text) => `CREATE TABLE "a" (\n  "b" int,\n  CHECK (${text})\n)`,
  (text) => `CREATE TABLE "a" (\n  "b" int,\n  EXCLUDE USING gist (${text}\n)`,
  (text) => `ALTER TABLE "a" ADD CONSTRAINT "c" CHECK (${text})`,
  (text) => `ALTER TABLE "a" ADD COLUMN "d" int DEFAULT ${text}`,
];

/** Undefined if the text is not a statement. */
function isAsMade(text: string): boolean | undefined {
  try {
    const statements = parseSync(text).stmts ?? [];
    const node = statements[0]?.stmt;
    if (node === undefined) return undefined;
    if ('AlterTableStmt' in node) return node.AlterTableStmt.cmds?.length === 1;
    if (!('CreateStmt' in node)) return false;
    const { inhRelations, partspec, options, ofTypename } = node.CreateStmt;
    return [inhRelations, partspec, options, ofTypename].every((part) => part === undefined);
  } catch {
    return undefined;
  }
}

test('a generated statement is invalid if its parser finds more than was generated', async () => {
  await loadModule();
  let odd = 0;
  fc.assert(
    fc.property(fc.constantFrom(...made), fragment, (make, words) => {
      const text = make(words);
      const asMade = isAsMade(text);
      if (asMade === undefined) return;
      odd += Number(!asMade);
      expect(shapeProblems(text, postgresLexicalRules).length === 0, text).toBe(asMade);
    }),
    // Random texts rarely add to a statement without breaking it.
    { numRuns: 20_000, examples: [[made[4]!, '1 , DROP COLUMN b']] },
  );
  expect(odd).toBeGreaterThan(0);
});
