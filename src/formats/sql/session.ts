/** What a script has set so far, and what that makes of its values. */
import { isUtf8 } from 'node:buffer';
import { StudioError } from '../../model/errors.ts';
import { settingTokens } from '../../sql/script-settings.ts';
import { patternsOf } from '../../sql/lexical-patterns.ts';
import { decodeText } from './literals.ts';
import { statementError } from './statement-error.ts';
import { lineOf } from './script.ts';
import { toUtc } from './time-zones.ts';
import type { Column } from '../../model/schema.ts';
import type { Value } from '../../model/values.ts';
import type { LexicalRules } from '../../sql/lexer.ts';
import type {
  ScriptSettings,
  SettingChange,
  SettingName,
  SettingToken,
} from '../../sql/script-settings.ts';
import type { ImportContext, Warning } from '../row-import.ts';
import type { Script } from './script.ts';

/** Makes text of its bytes, one character a byte. */
export type DecodeText = (raw: string) => string;

export interface ScriptSession {
  /** As they are without a statement of the script. */
  readonly lexical: LexicalRules;
  /** The request names the encoding of the file, which the studio has decoded. */
  readonly isDecoded: boolean;
  settings: ScriptSettings;
  /** Where each was set. */
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

interface Following {
  readonly script: Script;
  readonly session: ScriptSession;
  readonly reading: ImportContext;
}

/** Follows a statement that was passed. `before` is called where rows before it are read otherwise. */
export function trackSettings(
  following: Following,
  statement: Statement,
  before: () => void,
): void {
  const { script } = following;
  const tokens = settingTokens(statement.text, script.lexer.rules);
  const changes = script.dataScript.settingsOf(tokens) ?? unknownChanges(tokens);
  for (const change of changes) follow(following, statement, { change, before });
}

/** What sets something in another dialect. */
function unknownChanges([verb]: readonly SettingToken[]): readonly SettingChange[] {
  return /^(?:SET|SELECT|RESET|DISCARD|PRAGMA)$/.test(verb?.text ?? '')
    ? [{ kind: 'left-out' }]
    : [];
}

function follow(
  { script, session, reading }: Following,
  statement: Statement,
  { change, before }: { readonly change: SettingChange; readonly before: () => void },
): void {
  const { text, start } = statement;
  switch (change.kind) {
    case 'refused':
      throw statementError(script, { text, start, why: change.why });
    case 'left-out':
      return reading.warn(leftOutWarning(session, excerpt(text), lineOf(script, start)));
    case 'save':
      return void session.saved.set(change.variable, part(session.settings, change.names));
    case 'reset':
    case 'restore':
    case 'set': {
      if (change.kind === 'set' && change.isLocal === true && !isInForce(session, change.settings))
        throw statementError(script, { text, start, why: untilCommit });
      before();
      const settings = settingsOf(session, change);
      const place = `${JSON.stringify(excerpt(text))} of line ${lineOf(script, start)}`;
      for (const name of Object.keys(settings) as SettingName[]) session.positions.set(name, place);
      changeTo(script, session, settings);
    }
  }
}

const untilCommit = 'holds until its transaction ends: write SET without LOCAL';

/** Whether the settings already hold, as they do for a script that sets the usual ones (the studio's own exports). */
function isInForce({ lexical, settings }: ScriptSession, wanted: ScriptSettings): boolean {
  const usual: ScriptSettings = { charset: 'utf8', backslashEscapes: lexical.backslashEscapes };
  return (Object.keys(wanted) as SettingName[]).every(
    (name) => (wanted[name] ?? usual[name]) === (settings[name] ?? usual[name]),
  );
}

function settingsOf(
  session: ScriptSession,
  change: Extract<SettingChange, { readonly kind: 'set' | 'reset' | 'restore' }>,
): ScriptSettings {
  if (change.kind === 'set') return change.settings;
  const names = change.names ?? (Object.keys(session.settings) as SettingName[]);
  return part(change.kind === 'restore' ? (session.saved.get(change.variable) ?? {}) : {}, names);
}

/** Those of the names, undefined ones too. */
function part(settings: ScriptSettings, names: readonly SettingName[]): ScriptSettings {
  return Object.fromEntries(names.map((name) => [name, settings[name]]));
}

function changeTo({ lexer }: Script, session: ScriptSession, settings: ScriptSettings): void {
  session.settings = { ...session.settings, ...settings };
  lexer.rules = lexicalRules(session);
  lexer.patterns = patternsOf(lexer.rules);
}

/** A new connection, to another database say, knows nothing of what was set. */
export function resetSession(script: Script, session: ScriptSession): void {
  changeTo(script, session, part({}, Object.keys(session.settings) as SettingName[]));
}

function lexicalRules({ lexical, settings }: ScriptSession): LexicalRules {
  const { backslashEscapes = lexical.backslashEscapes, doubleQuotes } = settings;
  if (doubleQuotes === undefined) return { ...lexical, backslashEscapes };
  const others = lexical.nameQuotes.filter(({ open }) => open !== '"');
  const isName = doubleQuotes === 'name';
  return {
    ...lexical,
    backslashEscapes,
    nameQuotes: isName ? [...others, { open: '"', close: '"', doubled: true }] : others,
    stringQuotes: isName ? ["'"] : ["'", '"'],
  };
}

const longestShown = 60;
const mostLeftOut = 20;

function excerpt(text: string): string {
  const line = text
    .replaceAll(/\s+/g, ' ')
    .replace(/ ?\*\/ ?$/, '')
    .trim();
  return line.length > longestShown ? `${line.slice(0, longestShown)}…` : line;
}

function leftOutWarning({ skippedSettings }: ScriptSession, text: string, line: number): Warning {
  const key = skippedSettings.size < mostLeftOut || skippedSettings.has(text) ? text : '';
  const known = skippedSettings.get(key);
  if (known !== undefined) return known;
  const warning: Warning = (count) => {
    const times = count === 1 ? '' : ` and ${count - 1} more`;
    return key === ''
      ? `${count} more statements that set something were left out.`
      : `${JSON.stringify(text)} (line ${line}${times}) was left out: the rows were imported without what it sets.`;
  };
  skippedSettings.set(key, warning);
  return warning;
}

/** Texts by the character set that the script has set. */
export function textDecoder(session: ScriptSession, onGuess: () => void): DecodeText {
  return (raw) => {
    const charset = session.isDecoded ? undefined : session.settings.charset;
    if (charset === undefined || charset === 'utf8' || !/[\u0080-\u00ff]/.test(raw)) {
      const { text, guessed } = decodeText(raw);
      if (guessed) onGuess();
      return text;
    }
    const bytes = Buffer.from(raw, 'latin1');
    // UTF-8 may be what an escape made, and may be two characters of the character set.
    if (charset === 'other' || isUtf8(bytes)) throw unclearText(session);
    return charset === 'latin1' ? raw : new TextDecoder(charset).decode(bytes);
  };
}

function unclearText({ positions }: ScriptSession): StudioError {
  return new StudioError(
    'invalid_value',
    `A text is not ASCII, and ${positions.get('charset')} sets a character set under which it is not certain: import the file with the parameter encoding.`,
  );
}

/** Reads a column's fields as the script's settings have them. */
export function applySettings<Field>(
  session: ScriptSession,
  column: Column,
  read: (field: Field) => Value,
): (field: Field) => Value {
  const { kind } = column.type;
  const isTimed = kind === 'date' || kind === 'timestamp' || kind === 'time';
  const isZoned = (kind === 'timestamp' || kind === 'time') && column.type.zone === true;
  const isInterval = /^interval/i.test(column.nativeType);
  if (column.dynamic === true || !(isTimed || isInterval)) return read;
  return (field) => {
    const value = read(field);
    const { ambiguousDates, ambiguousIntervals, zone } = session.settings;
    if (typeof value !== 'string') return value;
    if (isInterval && ambiguousIntervals?.test(value) === true)
      throw unclear(session, 'ambiguousIntervals', { column, value });
    if (isTimed && ambiguousDates?.test(value) === true)
      throw unclear(session, 'ambiguousDates', { column, value });
    if (zone === undefined) return value;
    if (isMoment(field)) {
      if (isZoned) return value;
      throw unclear(session, 'zone', { column, value });
    }
    if (!isZoned) return value;
    const moment = kind === 'time' && !hasZone.test(value) ? undefined : toUtc(value, zone);
    if (moment === undefined) throw unclear(session, 'zone', { column, value });
    return moment;
  };
}

const hasZone = /(?:[+-]\d\d(?::?\d\d)*|Z)$/i;

/** The moment of the import, which is one of Greenwich. */
function isMoment(field: unknown): boolean {
  return typeof field === 'object' && field !== null && 'kind' in field && field.kind === 'now';
}

function unclear(
  { positions }: ScriptSession,
  name: SettingName,
  { column, value }: { readonly column: Column; readonly value: string },
): StudioError {
  return new StudioError(
    'invalid_value',
    `Column "${column.name}" (${column.nativeType}): what ${JSON.stringify(value)} means under ${positions.get(name)} is not certain here: ${remedies[name] ?? 'write it so that it depends on no setting'}.`,
    { column: column.name },
  );
}

const remedies: Partial<Record<SettingName, string>> = {
  zone: 'write it with its offset from UTC',
  ambiguousDates: 'write it as 2026-01-31',
};
