/**
 * Finds schema statements that change what earlier rows of a dump are. An import loads all rows into the
 * tables that the whole script creates, so the rows before such a statement would be other ones.
 */
import { settingParts } from '../../sql/script-settings.ts';
import { tokenCursor } from '../../sql/token-cursor.ts';
import type { SettingToken } from '../../sql/script-settings.ts';
import type { TokenCursor } from '../../sql/token-cursor.ts';
import type { StatementHead } from './insert/row-groups.ts';

interface FilledTable {
  readonly parts: readonly string[];
  /** The columns that all of its rows name, in lower case. Undefined: its rows have all columns. */
  readonly columns: ReadonlySet<string> | undefined;
}

/** The tables whose rows have begun, by the last part of their name in lower case. */
export type FilledTables = Map<string, readonly FilledTable[]>;

/** Notes that rows of a table follow. */
export function noteRows(filled: FilledTables, { parts, columns }: StatementHead): void {
  const key = lastPart(parts);
  const tables = filled.get(key) ?? [];
  const known = tables.find((table) => sameParts(table.parts, parts));
  const named = columns && new Set(columns.map((column) => column.toLowerCase()));
  const common = known === undefined ? named : intersection(known.columns, named);
  const others = tables.filter((table) => table !== known);
  filled.set(key, [...others, { parts, columns: common }]);
}

/** Whether a schema statement drops or renames rows that came before it, or changes their values. */
export function changesEarlierRows(filled: FilledTables, tokens: readonly SettingToken[]): boolean {
  if (filled.size === 0) return false;
  const cursor = tokenCursor(tokens);
  if (cursor.accept('DROP', 'SCHEMA') || cursor.accept('DROP', 'DATABASE')) return true;
  if (cursor.accept('DO')) return tokens.some(({ text }) => changeWords.test(text));
  if (cursor.accept('CREATE', 'OR', 'REPLACE', 'TABLE')) return isFilled(filled, cursor.name());
  if (cursor.accept('DROP', 'TABLE')) {
    cursor.accept('IF', 'EXISTS');
    return namesInList(cursor).some((parts) => isFilled(filled, parts));
  }
  if (cursor.accept('RENAME', 'TABLE')) return settingParts(tokens.slice(2)).some((pair) => isFilled(filled, tokenCursor(pair).name())); // prettier-ignore
  return cursor.accept('ALTER', 'TABLE') && changesByAlter(filled, tokens);
}

/** In a block of PL/pgSQL, which may name tables in texts that it executes. */
const changeWords = /\b(?:DROP|RENAME|USING|SET)\b/i;

function changesByAlter(filled: FilledTables, tokens: readonly SettingToken[]): boolean {
  const [first = [], ...others] = settingParts(tokens);
  const action = tokenCursor(first);
  action.accept('ALTER', 'TABLE');
  action.accept('IF', 'EXISTS');
  action.accept('ONLY');
  const tables = filledAs(filled, action.name());
  action.accept('*');
  if (!action.accept('WITH', 'CHECK')) action.accept('WITH', 'NOCHECK');
  if (tables.length === 0) return false;
  const actions = [action, ...others.map((tokensOfAction) => tokenCursor(tokensOfAction))];
  return actions.some((each) => changesRows(each, tables));
}

const renamedParts = ['INDEX', 'KEY', 'CONSTRAINT'];

const droppedParts = 'INDEX KEY CONSTRAINT PRIMARY FOREIGN CHECK PERIOD SYSTEM PARTITION'.split(
  ' ',
);

function changesRows(action: TokenCursor, tables: readonly FilledTable[]): boolean {
  const isOmitted = (name = ''): boolean =>
    tables.some(({ columns }) => columns?.has(name.toLowerCase()) === false);
  const columnName = (): string | undefined => {
    action.accept('COLUMN');
    if (!action.accept('IF', 'EXISTS')) action.accept('IF', 'NOT', 'EXISTS');
    return action.name()?.at(-1);
  };
  if (action.accept('RENAME')) return !renamedParts.some((word) => action.accept(word));
  if (action.accept('DROP'))
    return !droppedParts.some((word) => action.accept(word)) && !isOmitted(columnName());
  if (action.accept('CHANGE')) {
    const name = columnName();
    return isOmitted(name) || name?.toLowerCase() !== action.name()?.at(-1)?.toLowerCase();
  }
  if (action.accept('MODIFY')) return isOmitted(columnName());
  if (action.accept('ADD')) return action.skipPast('DEFAULT') && action.skipPast('FOR') && isOmitted(action.name()?.at(-1)); // prettier-ignore
  if (!action.accept('ALTER')) return false;
  const name = columnName();
  if (action.accept('SET', 'DEFAULT') || action.accept('DROP', 'DEFAULT')) return isOmitted(name);
  return action.skipPast('USING');
}

function namesInList(cursor: TokenCursor): readonly (readonly string[])[] {
  const names: (readonly string[])[] = [];
  do {
    const parts = cursor.name();
    if (parts !== undefined) names.push(parts);
  } while (cursor.accept(','));
  return names;
}

function isFilled(filled: FilledTables, parts: readonly string[] | undefined): boolean {
  return filledAs(filled, parts).length > 0;
}

/** The tables that a name may mean. A name without a schema may be that of a table in any schema. */
function filledAs(
  filled: FilledTables,
  parts: readonly string[] | undefined,
): readonly FilledTable[] {
  if (parts === undefined) return [];
  const tables = filled.get(lastPart(parts)) ?? [];
  return tables.filter((table) => {
    const length = Math.min(parts.length, table.parts.length);
    return sameParts(parts.slice(-length), table.parts.slice(-length));
  });
}

function sameParts(a: readonly string[], b: readonly string[]): boolean {
  return a.join('\0').toLowerCase() === b.join('\0').toLowerCase();
}

function lastPart(parts: readonly string[]): string {
  return parts.at(-1)?.toLowerCase() ?? '';
}

function intersection(
  a: ReadonlySet<string> | undefined,
  b: ReadonlySet<string> | undefined,
): ReadonlySet<string> | undefined {
  return a && b ? new Set([...a].filter((column) => b.has(column))) : (a ?? b);
}
