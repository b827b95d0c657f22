import { words } from '../../../sql/words.ts';
import type { SettingChange, SettingToken } from '../../../sql/script-settings.ts';

/** What these set changes no row that an import brings, and no row that a script brings without an error. */
const harmless: ReadonlySet<string> = new Set(
  words(`
  NOCOUNT ANSI_NULLS ANSI_PADDING ANSI_WARNINGS ANSI_NULL_DFLT_ON ANSI_NULL_DFLT_OFF XACT_ABORT
  IDENTITY_INSERT ARITHABORT ARITHIGNORE NUMERIC_ROUNDABORT LOCK_TIMEOUT DEADLOCK_PRIORITY
  STATISTICS TRANSACTION TEXTSIZE IMPLICIT_TRANSACTIONS DATEFIRST SHOWPLAN_ALL
  CURSOR_CLOSE_ON_COMMIT REMOTE_PROC_TRANSACTIONS FORCEPLAN QUERY_GOVERNOR_COST_LIMIT
`),
);

/** Only `20260131` and forms with a T are the same in each order. */
const ordered = /^\s*\d{1,4}[-/. ]\d{1,2}[-/. ]\d{1,4}(?!\d*T)/i;

/** What SET changes. */
export function sqlserverSettings(
  tokens: readonly SettingToken[],
): readonly SettingChange[] | undefined {
  const [verb, name = '', value = ''] = tokens.map(({ text }) => text.toUpperCase());
  if (verb !== 'SET') return undefined;
  if (name === 'QUOTED_IDENTIFIER')
    return [{ kind: 'set', settings: { doubleQuotes: value === 'OFF' ? 'string' : undefined } }];
  if (name === 'DATEFORMAT' || name === 'LANGUAGE') {
    const isUsual = /^(?:MDY|US_ENGLISH|ENGLISH)$/.test(value);
    return [{ kind: 'set', settings: { ambiguousDates: isUsual ? undefined : ordered } }];
  }
  if (/^(?:NOEXEC|PARSEONLY|FMTONLY)$/.test(name) && value !== 'OFF')
    return [{ kind: 'refused', why: 'keeps the statements behind it from being run' }];
  const isUsual =
    (name === 'ROWCOUNT' && value === '0') ||
    (/^(?:NOEXEC|PARSEONLY|FMTONLY)$/.test(name) && value === 'OFF') ||
    (/^(?:CONCAT_NULL_YIELDS_NULL|ANSI_DEFAULTS)$/.test(name) && value === 'ON');
  return isUsual || harmless.has(name.split(',')[0] ?? '') ? [] : [{ kind: 'left-out' }];
}
