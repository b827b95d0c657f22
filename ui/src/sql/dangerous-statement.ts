import { presentationOf } from '../../../src/databases/presentations.ts';
import { codeOf } from '../../../src/portable/lexer/code.ts';
import type { CodeToken } from '../../../src/portable/lexer/code.ts';

/** Why a statement is confirmed before it runs. */
export type Danger =
  /** UPDATE or DELETE without WHERE. */
  | 'all-rows'
  /** DROP, TRUNCATE, or ALTER … DROP. */
  | 'drop';

/** Undefined for a statement that runs without confirmation. */
export function dangerOf(statement: string, driver: string | undefined): Danger | undefined {
  const database = presentationOf(driver);
  if (database === undefined) return undefined;
  const code = codeOf(statement, database.lexicalRules);
  const first = code[0]?.word;
  if (first === 'DROP' || first === 'TRUNCATE') return 'drop';
  if (first === 'ALTER') return code.some(({ word }) => word === 'DROP') ? 'drop' : undefined;
  // The body of a routine or a trigger does not run now, and EXPLAIN alone runs nothing.
  const isExplained = first === 'EXPLAIN' && code.every(({ word }) => word !== 'ANALYZE');
  if (first === 'CREATE' || isExplained) return undefined;
  return code.some((_, i) => writesAllRows(code, i)) ? 'all-rows' : undefined;
}

/** After these, UPDATE or DELETE is not the verb of a statement: `ON DELETE CASCADE`, `FOR UPDATE`. */
const notVerbsAfter: ReadonlySet<string> = new Set(['ON', 'FOR', 'DO', 'KEY', 'NO', '.', 'THEN']);

/** Whether an UPDATE or DELETE without a WHERE of its own begins at this token. */
function writesAllRows(code: readonly CodeToken[], at: number): boolean {
  const word = code[at]?.word;
  if (word !== 'UPDATE' && word !== 'DELETE') return false;
  if (notVerbsAfter.has(code[at - 1]?.word ?? '')) return false;
  let depth = 0;
  for (const token of code.slice(at)) {
    if (token.word === '(') depth += 1;
    if (token.word === ')') depth -= 1;
    if (depth < 0) break;
    if (depth === 0 && token.word === 'WHERE') return false;
  }
  return true;
}
