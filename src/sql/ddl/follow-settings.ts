/** What statements that set something change for the structure behind them in a schema file. */
import { settingTokens } from '../script-settings.ts';
import { Refusal } from './cursor.ts';
import type { LexicalRules } from '../lexical-rules.ts';
import type { ScriptSettings, SettingChange, SettingToken } from '../script-settings.ts';
import type { CodeToken } from '../code.ts';

/** The settings of a dialect as a schema file's reader needs them. */
export interface DdlSettings {
  /** The changes of a statement; undefined where it sets nothing. */
  readonly settingsOf: (tokens: readonly SettingToken[]) => readonly SettingChange[] | undefined;
  /** Settings that are harmless to rows and shape tables, with their values; a default value does not match. */
  readonly shaping: RegExp;
}

export interface SettingStatement {
  readonly text: string;
  readonly start: number;
  readonly code: readonly CodeToken[];
}

interface Script {
  /** The whole file. */
  readonly text: string;
  readonly lexical: LexicalRules;
}

/** Whether a warning is to name the statement. Throws `Refusal` where the text behind it reads otherwise. */
export function isSettingLost(
  statement: SettingStatement,
  { settingsOf, shaping }: DdlSettings,
  script: Script,
): boolean {
  const tokens = settingTokens(statement.text, script.lexical);
  // A query without a call sets nothing.
  const isQuery = tokens[0]?.text === 'SELECT';
  if (isQuery && !statement.code.some(({ word }) => word === '(')) return false;
  const changes = settingsOf(tokens) ?? [];
  const refused = changes.find((change) => change.kind === 'refused');
  if (refused !== undefined)
    throw new Refusal(`The statement ${refused.why}: leave it out.`, statement.start);
  const sets = changes.flatMap((change) => (change.kind === 'set' ? [change.settings] : []));
  for (const settings of sets) demandSameReading(settings, statement, script);
  const written = tokens.map(({ text }) => text).join(' ');
  return (
    shaping.test(written) ||
    changes.some(({ kind }) => kind === 'left-out') ||
    sets.some((settings) => changesValues(settings))
  );
}

/** Quotes and backslashes are read by the rules of the file's beginning. */
function demandSameReading(
  { backslashEscapes, doubleQuotes }: ScriptSettings,
  { start }: SettingStatement,
  { text, lexical }: Script,
): void {
  const isName = lexical.nameQuotes.some(({ open }) => open === '"');
  const changesQuotes = doubleQuotes !== undefined && (doubleQuotes === 'name') !== isName;
  const changesBackslashes =
    backslashEscapes !== undefined && backslashEscapes !== lexical.backslashEscapes;
  const sign =
    changesQuotes && text.includes('"', start)
      ? 'double quotes'
      : changesBackslashes && text.includes('\\', start)
        ? 'backslashes'
        : undefined;
  if (sign !== undefined)
    throw new Refusal(
      `The statement changes how ${sign} are read, which an import does not follow: write the file without it.`,
      start,
    );
}

/** Whether a default of a date, a time or a text may mean another value. */
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
