/** Warnings about statements that an import leaves out. */
import type { ScriptStatement } from './script-statement.ts';
import type { SchemaDraft } from './draft.ts';

/** One warning for all changes of an object, because pg_dump writes dozens for one of text search. */
export function warnOfChange(object: string, statement: ScriptStatement, draft: SchemaDraft): void {
  const omitted = `the change of ${object}`;
  if (!draft.warnings.some((warning) => warning.endsWith(`: ${omitted} is left out.`)))
    warnOmitted(statement, draft, omitted);
}

/** Warns that a statement is omitted. */
export function warnOmitted(
  statement: ScriptStatement,
  draft: SchemaDraft,
  omitted = `the statement ${excerpt(statement)}`,
): void {
  draft.warnings.push(`Line ${statement.line}: ${omitted} is left out.`);
}

const maxShownWords = 6;
const maxShownLength = 40;

/** The first words of a statement. A comment is shown up to its text, since its object may have a long name. */
export function excerpt({ text, code, firstWord }: ScriptStatement): string {
  const end = firstWord === 'COMMENT' ? code.findLastIndex(({ word }) => word === 'IS') : -1;
  if (end > 0) return text.slice(code[0]?.start, code[end - 1]?.end).replaceAll(/\s+/g, ' ');
  const last = code[Math.min(maxShownWords, code.length) - 1];
  const words = text.slice(code[0]?.start, last?.end).replaceAll(/\s+/g, ' ');
  return words.length > maxShownLength ? `${words.slice(0, maxShownLength)}…` : words;
}
