/** Tracks the settings of a script, and applies them to its values. */
import { isUtf8 } from 'node:buffer';
import { StudioError } from '../../../model/errors.ts';
import { settingTokens } from '../../../sql/script-settings.ts';
import { patternsOf } from '../../../portable/lexer/lexical-patterns.ts';
import { decodeText } from '../values/literals.ts';
import { statementError } from './statement-error.ts';
import { lineOf } from './script.ts';
import { toUtc } from './time-zones.ts';
import type { Column } from '../../../model/schema.ts';
import type { Value } from '../../../model/values.ts';
import type { LexicalRules } from '../../../portable/lexer/lexer.ts';
import type {
  ScriptSettings,
  SettingChange,
  SettingName,
  SettingToken,
} from '../../../sql/script-settings.ts';
import type { DataScriptRules } from '../../../sql/data-script.ts';
import type { SqlValue } from '../values/literals.ts';
import type { ImportContext, Warning } from '../../row-import.ts';
import type { Script } from './script.ts';

/** Decodes the bytes of a string, which are given as Latin-1 characters. */
export type DecodeText = (raw: string) => string;

export interface ScriptSession {
  /** The rules before any setting of the script. */
  readonly lexical: LexicalRules;
  /** The request names the encoding of the file, so the text is decoded already. */
  readonly isDecoded: boolean;
  settings: ScriptSettings;
  /** The statement and line that set each of them, for messages. */
  readonly positions: Map<SettingName, string>;
  readonly saved: Map<string, ScriptSettings>;
  readonly skippedSettings: Map<string, Warning>;
}

export function createSession(lexical: LexicalRules, isDecoded: boolean): ScriptSession {
  return {
    lexical,
    isDecoded,
    settings: {},
    positions: new Map(),
    saved: new Map(),
    skippedSettings: new Map(),
  };
}

interface Statement {
  readonly text: string;
  readonly start: number;
}

interface SettingContext {
  readonly script: Script;
  readonly session: ScriptSession;
  readonly context: ImportContext;
}

/** Applies the settings of a skipped statement. `before` is called first, so that rows before it are read with the old ones. */
export function trackSettings(
  settingContext: SettingContext,
  statement: Statement,
  before: () => void,
): void {
  const { script } = settingContext;
  const tokens = settingTokens(statement.text, script.lexer.rules);
  const changes = script.dataScript.settingsOf(tokens) ?? unknownChanges(tokens);
  for (const change of changes) applyChange(settingContext, statement, { change, before });
}

/** Statements that are settings in another dialect are skipped with a warning. */
function unknownChanges([verb]: readonly SettingToken[]): readonly SettingChange[] {
  return /^(?:SET|SELECT|RESET|DISCARD|PRAGMA)$/.test(verb?.text ?? '')
    ? [{ kind: 'left-out' }]
    : [];
}

function applyChange(
  { script, session, context }: SettingContext,
  statement: Statement,
  { change, before }: { readonly change: SettingChange; readonly before: () => void },
): void {
  const { text, start } = statement;
  switch (change.kind) {
    case 'rejected':
      throw statementError(script, { text, start, reason: change.reason });
    case 'left-out':
      return context.warn(skippedWarning(session, excerpt(text), lineOf(script, start)));
    case 'save':
      return void session.saved.set(
        change.variable,
        selectSettings(session.settings, change.names),
      );
    case 'reset':
    case 'restore':
    case 'set': {
      if (change.kind === 'set' && change.isLocal === true && !isInForce(session, change.settings))
        throw statementError(script, { text, start, reason: localSetting });
      before();
      const settings = settingsOf(session, change);
      const position = `${JSON.stringify(excerpt(text))} of line ${lineOf(script, start)}`;
      for (const name of Object.keys(settings) as SettingName[])
        session.positions.set(name, position);
      setSettings(script, session, settings);
    }
  }
}

const localSetting =
  'takes effect until its transaction ends, which is not supported: write SET without LOCAL';

/** Whether the settings are in force already. Exports of the studio set the defaults with SET LOCAL. */
function isInForce({ lexical, settings }: ScriptSession, requested: ScriptSettings): boolean {
  const defaults: ScriptSettings = { charset: 'utf8', backslashEscapes: lexical.backslashEscapes };
  return (Object.keys(requested) as SettingName[]).every(
    (name) => (requested[name] ?? defaults[name]) === (settings[name] ?? defaults[name]),
  );
}

function settingsOf(
  session: ScriptSession,
  change: Extract<SettingChange, { readonly kind: 'set' | 'reset' | 'restore' }>,
): ScriptSettings {
  if (change.kind === 'set') return change.settings;
  const names = change.names ?? (Object.keys(session.settings) as SettingName[]);
  return selectSettings(
    change.kind === 'restore' ? (session.saved.get(change.variable) ?? {}) : {},
    names,
  );
}

/** Selects settings by name, including undefined ones. */
function selectSettings(settings: ScriptSettings, names: readonly SettingName[]): ScriptSettings {
  return Object.fromEntries(names.map((name) => [name, settings[name]]));
}

function setSettings({ lexer }: Script, session: ScriptSession, settings: ScriptSettings): void {
  session.settings = { ...session.settings, ...settings };
  lexer.rules = lexicalRules(session);
  lexer.patterns = patternsOf(lexer.rules);
}

/** `\connect` opens a new connection, which has the default settings. */
export function resetSession(script: Script, session: ScriptSession): void {
  setSettings(script, session, selectSettings({}, Object.keys(session.settings) as SettingName[]));
}

function lexicalRules({ lexical, settings }: ScriptSession): LexicalRules {
  const { backslashEscapes = lexical.backslashEscapes, doubleQuotes } = settings;
  if (doubleQuotes === undefined) return { ...lexical, backslashEscapes };
  const otherQuotes = lexical.nameQuotes.filter(({ open }) => open !== '"');
  const isName = doubleQuotes === 'name';
  return {
    ...lexical,
    backslashEscapes,
    nameQuotes: isName ? [...otherQuotes, { open: '"', close: '"', doubled: true }] : otherQuotes,
    stringQuotes: isName ? ["'"] : ["'", '"'],
  };
}

const maxExcerpt = 60;
const maxSkippedTexts = 20;

function excerpt(text: string): string {
  const line = text
    .replaceAll(/\s+/g, ' ')
    .replace(/ ?\*\/ ?$/, '')
    .trim();
  return line.length > maxExcerpt ? `${line.slice(0, maxExcerpt)}…` : line;
}

function skippedWarning({ skippedSettings }: ScriptSession, text: string, line: number): Warning {
  const key = skippedSettings.size < maxSkippedTexts || skippedSettings.has(text) ? text : '';
  const skippedSetting = skippedSettings.get(key);
  if (skippedSetting !== undefined) return skippedSetting;
  const warning: Warning = (count) => {
    const times = count === 1 ? '' : ` and ${count - 1} more`;
    return key === ''
      ? `${count} more statements with settings were skipped.`
      : `${JSON.stringify(text)} (line ${line}${times}) was skipped: the rows were imported without this setting.`;
  };
  skippedSettings.set(key, warning);
  return warning;
}

export const guessedEncoding: Warning = (count) =>
  count === 1
    ? 'A string is not valid UTF-8 and was read as windows-1252. If that is wrong, set the parameter "encoding".'
    : `${count} strings are not valid UTF-8 and were read as windows-1252. If that is wrong, set the parameter "encoding".`;

/** Decodes strings in the character set that the script has set. */
export function textDecoder(session: ScriptSession, onGuess: () => void): DecodeText {
  return (raw) => {
    const charset = session.isDecoded ? undefined : session.settings.charset;
    if (charset === undefined || charset === 'utf8' || !/[\u0080-\u00ff]/.test(raw)) {
      const { text, guessed } = decodeText(raw);
      if (guessed) onGuess();
      return text;
    }
    const bytes = Buffer.from(raw, 'latin1');
    // Valid UTF-8 is ambiguous: it can come from an escape, or be characters of the character set.
    if (charset === 'other' || isUtf8(bytes)) throw undecodableError(session);
    return charset === 'latin1' ? raw : new TextDecoder(charset).decode(bytes);
  };
}

function undecodableError({ positions }: ScriptSession): StudioError {
  return new StudioError(
    'invalid_value',
    `A string is not ASCII, and it is not certain how to decode it with the character set of ${positions.get('charset')}: set the parameter "encoding".`,
  );
}

/** Reads the fields of a column according to the script's settings. */
export function applySettings<Field>(
  session: ScriptSession,
  column: Column,
  read: (field: Field) => Value,
): (field: Field) => Value {
  const { kind } = column.type;
  const isTimed = kind === 'date' || kind === 'timestamp' || kind === 'time';
  const isZoned = (kind === 'timestamp' || kind === 'time') && column.type.zone === true;
  const isInterval = /^interval/i.test(column.nativeType);
  if (column.dynamic === true) return isTimed ? rejectOtherOrders(session, column, read) : read;
  if (!(isTimed || isInterval)) return read;
  return (field) => {
    const value = read(field);
    const { ambiguousDates, ambiguousIntervals, zone } = session.settings;
    if (typeof value !== 'string') return value;
    if (isInterval && ambiguousIntervals?.test(value) === true)
      throw ambiguousError(session, 'ambiguousIntervals', { column, value });
    if (isTimed && ambiguousDates?.test(value) === true)
      throw ambiguousError(session, 'ambiguousDates', { column, value });
    if (zone === undefined) return value;
    if (isImportTime(field)) {
      if (isZoned) return value;
      throw ambiguousError(session, 'zone', { column, value });
    }
    if (!isZoned) return value;
    const instant = kind === 'time' && !hasZone.test(value) ? undefined : toUtc(value, zone);
    if (instant === undefined) throw ambiguousError(session, 'zone', { column, value });
    return instant;
  };
}

/** A column that stores any text would keep a date that the script's own database reads in another order. */
function rejectOtherOrders<Field>(
  session: ScriptSession,
  column: Column,
  read: (field: Field) => Value,
): (field: Field) => Value {
  return (field) => {
    const value = read(field);
    const isText = typeof field === 'object' && field !== null && 'raw' in field;
    if (
      isText &&
      typeof value === 'string' &&
      session.settings.ambiguousDates?.test(value) === true &&
      field.raw === value
    )
      // prettier-ignore
      throw ambiguousError(session, 'ambiguousDates', { column, value });
    return value;
  };
}

/** Rejects a cast to a type that reads dates in the order that the script has set. */
export function checkCasts(
  session: ScriptSession,
  { column, exactCasts }: { readonly column: Column } & Pick<DataScriptRules, 'exactCasts'>,
  read: (value: SqlValue) => Value,
): (value: SqlValue) => Value {
  const readsOrder = (name: string): boolean => {
    const cast = Object.hasOwn(exactCasts, name) ? exactCasts[name] : undefined;
    return cast?.kind === 'timestamp' && cast.dependsOnOrder === true;
  };
  return (field) => {
    const { ambiguousDates } = session.settings;
    if (ambiguousDates === undefined) return read(field);
    for (let value = field; value.kind === 'cast'; value = value.value)
      if (
        readsOrder(value.type.name) &&
        value.value.kind === 'text' &&
        ambiguousDates.test(value.value.raw)
      )
        // prettier-ignore
        throw ambiguousError(session, 'ambiguousDates', { column, value: value.value.raw });
    return read(field);
  };
}

const hasZone = /(?:[+-]\d\d(?::?\d\d)*|Z)$/i;

/** The time of the import, which is in UTC already. */
function isImportTime(field: unknown): boolean {
  return typeof field === 'object' && field !== null && 'kind' in field && field.kind === 'now';
}

function ambiguousError(
  { positions }: ScriptSession,
  name: SettingName,
  { column, value }: { readonly column: Column; readonly value: string },
): StudioError {
  return new StudioError(
    'invalid_value',
    `Column "${column.name}" (${column.nativeType}): ${JSON.stringify(value)} is ambiguous after ${positions.get(name)}: ${remedies[name] ?? 'write it so that it depends on no setting'}.`,
    { column: column.name },
  );
}

const remedies: Partial<Record<SettingName, string>> = {
  zone: 'write it with its offset from UTC',
  ambiguousDates: 'write it as 20260131',
};
