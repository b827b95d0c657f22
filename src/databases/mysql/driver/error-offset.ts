import { findMention, lineStart } from '../../../sql/find-mention.ts';
import { serverError } from '../dialect/errors.ts';
import type { LexicalRules } from '../../../portable/lexer/lexical-rules.ts';

const syntaxErrors: ReadonlySet<number> = new Set([
  1064, // ER_PARSE_ERROR
  1149, // ER_SYNTAX_ERROR
]);

/** Errors whose message begins with the quoted name of what the statement mentions. */
const nameErrors: ReadonlySet<number> = new Set([
  1050, // ER_TABLE_EXISTS_ERROR
  1051, // ER_BAD_TABLE_ERROR
  1052, // ER_NON_UNIQ_ERROR
  1054, // ER_BAD_FIELD_ERROR
  1060, // ER_DUP_FIELDNAME
  1066, // ER_NONUNIQ_TABLE
  1072, // ER_KEY_COLUMN_DOES_NOT_EXITS
  1091, // ER_CANT_DROP_FIELD_OR_KEY
  1109, // ER_UNKNOWN_TABLE
  1110, // ER_FIELD_SPECIFIED_TWICE
  1146, // ER_NO_SUCH_TABLE
  1305, // ER_SP_DOES_NOT_EXIST
]);

/** The server's messages may be in any language; the quoted parts are the same in all of them. */
export function errorOffset(error: unknown, text: string, rules: LexicalRules): number | undefined {
  const found = serverError(error);
  if (found === undefined) return undefined;
  if (syntaxErrors.has(found.errno)) return syntaxErrorOffset(found.sqlMessage, text);
  const name = nameErrors.has(found.errno) ? /'([^']+)'/.exec(found.sqlMessage)?.[1] : undefined;
  return name === undefined ? undefined : findMention(name, { text, rules });
}

/** The server reports up to 80 characters of the text from the error on, without blanks at the end, and their line. */
function syntaxErrorOffset(message: string, text: string): number | undefined {
  const [, rest, line] = /'(.*)'[^']*?(\d+)\D*$/s.exec(message) ?? [];
  if (rest === undefined) return undefined;
  if (rest === '') return text.trimEnd().length;
  const reported = [...rest].map(
    (character) => patternsOfReported[character] ?? literal(character),
  );
  const ending = new RegExp(String.raw`${reported.join('')}[\s;]*$`, 'u').exec(text);
  if (ending !== null) return ending.index;
  const from = lineStart(text, Number(line));
  const found = new RegExp(reported.join(''), 'u').exec(text.slice(from));
  return found === null ? undefined : from + found.index;
}

/** In messages of MariaDB a character beyond the basic plane is a question mark. */
const patternsOfReported: Readonly<Record<string, string>> = {
  '?': String.raw`(?:\?|[\u{10000}-\u{10ffff}])`,
};

function literal(character: string): string {
  return character.replace(/[\\^$.*+?()[\]{}|/]/, String.raw`\$&`);
}
