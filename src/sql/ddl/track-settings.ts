/** Decides how a schema import treats statements that change settings. */
import { settingTokens } from '../script-settings.ts';
import { RejectedStatement } from './cursor.ts';
import type { LexicalRules } from '../../portable/lexer/lexical-rules.ts';
import type { ScriptSettings, SettingChange, SettingToken } from '../script-settings.ts';
import type { CodeToken } from '../../portable/lexer/code.ts';

/** The settings of a dialect that matter to a schema file. */
export interface DdlSettings {
  /** The settings that a statement changes; undefined if it changes none. */
  readonly settingsOf: (tokens: readonly SettingToken[]) => readonly SettingChange[] | undefined;
  /** Matches settings with nondefault values that affect how tables are created but not how rows are read. */
  readonly affectsTables: RegExp;
}

export interface SettingStatement {
  readonly text: string;
  readonly start: number;
  readonly code: readonly CodeToken[];
}

interface Script {
  /** The statements after the setting. */
  readonly following: () => readonly Pick<SettingStatement, 'text'>[];
  readonly lexical: LexicalRules;
}

/** Whether a warning must name the statement. Throws `RejectedStatement` if the following text would be read differently. */
export function isSettingIgnored(
  statement: SettingStatement,
  { settingsOf, affectsTables }: DdlSettings,
  script: Script,
): boolean {
  const tokens = settingTokens(statement.text, script.lexical);
  // A query without a function call changes no setting.
  const isQuery = tokens[0]?.text === 'SELECT';
  if (isQuery && !statement.code.some(({ word }) => word === '(')) return false;
  const changes = settingsOf(tokens) ?? [];
  const rejected = changes.find(
    (change) => change.kind === 'rejected' && change.concernsRows !== true,
  );
  if (rejected?.kind === 'rejected')
    throw new RejectedStatement(`The statement ${rejected.reason}. Remove it.`, statement.start);
  const sets = changes.flatMap((change) => (change.kind === 'set' ? [change.settings] : []));
  for (const settings of sets) rejectLexicalChange(settings, statement, script);
  const statementText = tokens.map(({ text }) => text).join(' ');
  return (
    affectsTables.test(statementText) ||
    changes.some(({ kind }) => kind === 'left-out') ||
    sets.some((settings) => changesValues(settings))
  );
}

/**
 * Rejects a change of how quotes or backslashes are read if a later statement has one: the whole
 * file is read by the rules at its beginning. Rows of COPY are no part of a statement.
 */
function rejectLexicalChange(
  { backslashEscapes, doubleQuotes, oracleSyntax }: ScriptSettings,
  { start }: SettingStatement,
  { following, lexical }: Script,
): void {
  if (oracleSyntax === true)
    throw new RejectedStatement(
      'The statement sets a mode that cannot be followed. Remove it.',
      start,
    );
  const isName = lexical.nameQuotes.some(({ open }) => open === '"');
  const changesQuotes = doubleQuotes !== undefined && (doubleQuotes === 'name') !== isName;
  const changesBackslashes =
    backslashEscapes !== undefined && backslashEscapes !== lexical.backslashEscapes;
  const follows = (character: string): boolean =>
    following().some(({ text }) => text.includes(character));
  const character =
    changesQuotes && follows('"')
      ? 'double quotes'
      : changesBackslashes && follows('\\')
        ? 'backslashes'
        : undefined;
  if (character !== undefined)
    throw new RejectedStatement(
      `The statement changes how ${character} are read, which an import does not support. Write the file without it.`,
      start,
    );
}

/** Whether defaults of dates, times or texts may mean other values under these settings. */
function changesValues({
  zone,
  charset,
  ambiguousDates,
  ambiguousIntervals,
}: ScriptSettings): boolean {
  const isOtherCharset = charset !== undefined && charset !== 'utf8';
  return (
    [zone, ambiguousDates, ambiguousIntervals].some((each) => each !== undefined) || isOtherCharset
  );
}
