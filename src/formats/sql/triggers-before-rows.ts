/** Finds triggers that the database of a script would run for rows after them. An import loads the rows first. */
import { executableCode } from '../../sql/ddl/cursor.ts';
import { readName } from './insert/read-string.ts';
import { lineOf } from './script/script.ts';
import type { CodeToken } from '../../portable/lexer/code.ts';
import type { SqlScriptReader } from './script-reader.ts';
import type { StructureUnit } from './other-quoting.ts';

export interface InsertTrigger {
  readonly name: string;
  readonly table: string;
  readonly line: number;
  /** What the reader knows of the rows of the table before the trigger. */
  readonly rowsBefore: unknown;
}

/** Words after which no event follows. */
const bodyWords: ReadonlySet<string> = new Set(['AS', 'BEGIN', 'EACH', 'EXECUTE', 'WHEN']);

/** The trigger that a statement creates for inserted rows; undefined for other statements. */
export function insertTrigger(
  sql: SqlScriptReader,
  unit: StructureUnit,
): InsertTrigger | undefined {
  const { text, rules, start } = unit;
  if (!/\bTRIGGER\b/i.test(text)) return undefined;
  const code = executableCode(text, rules);
  const at = code.findIndex(({ word }) => word === 'TRIGGER');
  if (code[0]?.word !== 'CREATE' || at === -1) return undefined;
  const body = code.findIndex(({ word }, i) => i > at && bodyWords.has(word));
  const head = code.slice(at + 1, body === -1 ? code.length : body);
  const on = head.findIndex(({ word, kind }) => kind === 'word' && word === 'ON');
  if (on === -1 || !head.some(({ word, kind }) => kind === 'word' && word === 'INSERT'))
    return undefined;
  const name = lastPart(sql, unit, head.slice(afterIfNotExists(head)));
  const table = lastPart(sql, unit, head.slice(on + 1));
  const rowsBefore = sql.filledTables.get(table.toLowerCase());
  return { name, table, line: lineOf(sql.script, start + code[0].start), rowsBefore };
}

function afterIfNotExists(head: readonly CodeToken[]): number {
  return head[0]?.word === 'IF' ? head.findIndex(({ word }) => word === 'EXISTS') + 1 : 0;
}

/** The last part of a name at the beginning of the tokens. */
function lastPart(
  { script }: SqlScriptReader,
  { start }: StructureUnit,
  tokens: readonly CodeToken[],
): string {
  let last = 0;
  while (tokens[last + 1]?.word === '.') last += 2;
  const token = tokens[last];
  if (token === undefined) return '';
  return readName(script, { ...token, start: start + token.start, end: start + token.end });
}

export function warnAboutTriggers(
  { filledTables }: SqlScriptReader,
  triggers: readonly InsertTrigger[],
): readonly string[] {
  return triggers
    .filter(({ table, rowsBefore }) => filledTables.get(table.toLowerCase()) !== rowsBefore)
    .map(
      ({ name, table, line }) =>
        `Line ${line}: the trigger ${name} does not run for rows of ${table} that follow it in the file: what it would change is not imported.`,
    );
}
