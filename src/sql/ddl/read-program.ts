/** Finds what a statement that creates a trigger or a routine is about. */
import { readName } from '../expression/read-literal.ts';
import type { CodeToken } from '../../portable/lexer/code.ts';
import type { LexicalRules } from '../../portable/lexer/lexical-rules.ts';
import type { ScriptStatement } from './script-statement.ts';
import type { SchemaDraft } from './draft.ts';
import type { ScriptProgram } from '../../model/stored-program.ts';

export interface ProgramHead {
  /** As in messages: `trigger`. */
  readonly kind: string;
  readonly nameParts: readonly string[];
  /** The tokens after the name. */
  readonly rest: readonly CodeToken[];
  readonly replaces: boolean;
}

/** Modifiers, such as OR REPLACE and DEFINER, come before the kind. */
const maxKindIndex = 16;

/** Undefined for a statement about something else. `kinds`: the keywords of the kinds, in upper case. */
export function programHead(
  { text, code }: Pick<ScriptStatement, 'text' | 'code'>,
  kinds: readonly string[],
  lexical: LexicalRules,
): ProgramHead | undefined {
  const at = code.slice(0, maxKindIndex).findIndex(({ word }) => kinds.includes(word));
  const [kind, before] = [code[at]?.word, code[at - 1]?.word];
  if (kind === undefined || (before === 'EVENT' && kind === 'TRIGGER')) return undefined;
  let end = at + 1;
  while (['IF', 'NOT', 'EXISTS'].includes(code[end]?.word ?? '')) end += 1;
  const nameParts: string[] = [];
  for (;;) {
    const { start = 0, end: nameEnd = 0 } = code[end] ?? {};
    nameParts.push(readName(text.slice(start, nameEnd), lexical));
    end += 1;
    if (code[end]?.word !== '.') break;
    end += 1;
  }
  const replaces = code.slice(0, at).some(({ word }) => word === 'REPLACE');
  return { kind: kind.toLowerCase(), nameParts, rest: code.slice(end), replaces };
}

/** Adds a program. OR REPLACE replaces an earlier one. */
export function addProgram(
  draft: SchemaDraft,
  program: ScriptProgram,
  { replaces }: Pick<ProgramHead, 'replaces'>,
): void {
  if (replaces) removeProgram(draft, ({ key }) => key === program.key);
  draft.programs.push(program);
}

/** Returns whether there was one. */
export function removeProgram(
  draft: SchemaDraft,
  isDropped: (program: ScriptProgram) => boolean,
): boolean {
  const remaining = draft.programs.filter((program) => !isDropped(program));
  const isFound = remaining.length < draft.programs.length;
  draft.programs.splice(0, Infinity, ...remaining);
  return isFound;
}
