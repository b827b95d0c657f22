import { words } from '../../../portable/lexer/words.ts';
import type { ScriptSettings, SettingChange, SettingToken } from '../../../sql/script-settings.ts';

/** Settings that do not affect imported rows, unless the statement would fail anyway. */
const withoutEffect: ReadonlySet<string> = new Set(
  words(`
  NOCOUNT ANSI_NULLS ANSI_PADDING ANSI_WARNINGS ANSI_NULL_DFLT_ON ANSI_NULL_DFLT_OFF XACT_ABORT
  IDENTITY_INSERT ARITHABORT ARITHIGNORE NUMERIC_ROUNDABORT LOCK_TIMEOUT DEADLOCK_PRIORITY
  STATISTICS TRANSACTION TEXTSIZE IMPLICIT_TRANSACTIONS DATEFIRST SHOWPLAN_ALL
  CURSOR_CLOSE_ON_COMMIT REMOTE_PROC_TRANSACTIONS FORCEPLAN QUERY_GOVERNOR_COST_LIMIT
`),
);

/** Matches dates that depend on DATEFORMAT. Only `20260131` and formats with a T do not. */
const orderDependentDate = /^\s*\d{1,4}[-/. ]\d{1,2}[-/. ]\d{1,4}(?!\d*T)/i;

/** The changes that a SET statement makes. */
export function sqlserverSettings(
  tokens: readonly SettingToken[],
): readonly SettingChange[] | undefined {
  const [verb, name = '', value = ''] = tokens.map(({ text }) => text.toUpperCase());
  if (verb !== 'SET') return undefined;
  // A variable.
  if (name.startsWith('@')) return [];
  if (name === 'QUOTED_IDENTIFIER')
    return [{ kind: 'set', settings: { doubleQuotes: value === 'OFF' ? 'string' : undefined } }];
  if (name === 'DATEFORMAT' || name === 'LANGUAGE') {
    const isDefault = /^(?:MDY|US_ENGLISH|ENGLISH)$/.test(value);
    const settings: ScriptSettings = isDefault
      ? { ambiguousDates: undefined, dateOrder: 'MDY' }
      : { ambiguousDates: orderDependentDate, dateOrder: undefined };
    return [{ kind: 'set', settings }];
  }
  if (/^(?:NOEXEC|PARSEONLY|FMTONLY)$/.test(name) && value !== 'OFF')
    return [{ kind: 'rejected', reason: 'keeps the statements behind it from being run' }];
  const isDefault =
    (name === 'ROWCOUNT' && value === '0') ||
    (/^(?:NOEXEC|PARSEONLY|FMTONLY)$/.test(name) && value === 'OFF') ||
    (/^(?:CONCAT_NULL_YIELDS_NULL|ANSI_DEFAULTS)$/.test(name) && value === 'ON');
  return isDefault || withoutEffect.has(name.split(',')[0] ?? '') ? [] : [{ kind: 'left-out' }];
}
