/**
 * Imports of structure put texts of a file, such as the expression of a default, into statements of their
 * own. `shapeProblems` must find the texts that would change what the statement does. PostgreSQL's own
 * parser (libpg-query) is the judge.
 */
import * as fc from 'fast-check';
import { loadModule, parseSync } from 'libpg-query';
import { expect, test } from 'vitest';
import { postgresLexicalRules } from '../../src/databases/postgres/language/lexical-rules.ts';
import { shapeProblems } from '../../src/sql/statement-shape.ts';

const wordArbitrary = fc.constantFrom(
  ...['1', '1', '= 1', '(', ')', ')', ',', "'x,)'", '"q,)"', '/* ) */', '-- )\n', '+ (2)', 'x int'],
  ...['INHERITS (t', 'WITH (fillfactor = 10', 'PARTITION BY LIST (a', 'DROP COLUMN b', 'CHECK (1'],
);
const fragment = fc
  .array(wordArbitrary, { minLength: 1, maxLength: 7 })
  .map((list) => list.join(' '));

/** Statements that contain a text of the file, as imports of structure create them. */
const statementTemplates: readonly ((text: string) => string)[] = [
  (text) => `CREATE TABLE "a" (\n  "b" int DEFAULT ${text},\n  "c" int\n)`,
  (text) => `CREATE TABLE "a" (\n  "b" int,\n  CHECK (${text})\n)`,
  (text) => `CREATE TABLE "a" (\n  "b" int,\n  EXCLUDE USING gist (${text}\n)`,
  (text) => `ALTER TABLE "a" ADD CONSTRAINT "c" CHECK (${text})`,
  (text) => `ALTER TABLE "a" ADD COLUMN "d" int DEFAULT ${text}`,
];

/** Whether the statement does only what its template does. Undefined if the text is not a statement. */
function hasTemplateShape(text: string): boolean | undefined {
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

test('shapeProblems rejects a statement exactly if a text adds something to it', async () => {
  await loadModule();
  let changedShapes = 0;
  fc.assert(
    fc.property(
      fc.constantFrom(...statementTemplates),
      fragment,
      (statementWith, wordArbitrary) => {
        const text = statementWith(wordArbitrary);
        const isUnchanged = hasTemplateShape(text);
        if (isUnchanged === undefined) return;
        changedShapes += Number(!isUnchanged);
        expect(shapeProblems(text, postgresLexicalRules).length === 0, text).toBe(isUnchanged);
      },
    ),
    // Random texts rarely add to a statement without breaking it.
    { numRuns: 20_000, examples: [[statementTemplates[4]!, '1 , DROP COLUMN b']] },
  );
  expect(changedShapes).toBeGreaterThan(0);
});
