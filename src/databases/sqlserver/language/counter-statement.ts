import { readNextValue, unsupportedCounter } from '../../../sql/counter-statement.ts';
import { tokenCursor } from '../../../sql/token-cursor.ts';
import type { CounterStatement, ReadCounter } from '../../../sql/counter-statement.ts';
import type { SettingToken } from '../../../sql/script-settings.ts';
import type { TokenCursor } from '../../../sql/token-cursor.ts';

/** `DBCC CHECKIDENT ('dbo.users', RESEED, 50)`, `ALTER SEQUENCE s RESTART WITH 50`, and IDENTITY of CREATE TABLE. */
export const sqlserverCounter: ReadCounter = (tokens) => {
  const cursor = tokenCursor(tokens);
  if (cursor.accept('DBCC', 'CHECKIDENT', '(')) return readReseed(cursor) ?? unsupportedCounter;
  if (cursor.accept('CREATE', 'TABLE')) return readIdentity(cursor, tokens);
  if (!cursor.accept('ALTER', 'SEQUENCE')) return undefined;
  const parts = cursor.name();
  if (parts === undefined || !cursor.accept('RESTART')) return undefined;
  cursor.accept('WITH');
  return readNextValue(cursor, { kind: 'sequence', parts });
};

/** The first number of `IDENTITY(100, 1)`. */
function readIdentity(
  cursor: TokenCursor,
  tokens: readonly SettingToken[],
): CounterStatement | undefined {
  const parts = cursor.name();
  const at = tokens.findIndex(
    ({ kind, text }, i) => kind === 'word' && text === 'IDENTITY' && tokens[i + 1]?.text === '(',
  );
  if (parts === undefined || at === -1) return undefined;
  const steps = tokenCursor(tokens.slice(at + 2));
  const value = steps.integer();
  const isByOne = steps.accept(',') && steps.integer() === 1n;
  if (value === undefined || value === 1n || !isByOne) return undefined;
  return {
    kind: 'position',
    counter: { kind: 'table', parts },
    position: { value, isUsed: false },
    changesSchema: true,
  };
}

/** https://learn.microsoft.com/en-us/sql/t-sql/database-console-commands/dbcc-checkident-transact-sql */
function readReseed(cursor: TokenCursor): CounterStatement | undefined {
  const parts = cursor.nameInString() ?? cursor.name();
  if (parts === undefined || !cursor.accept(',')) return undefined;
  // Without a value, the identity moves past the rows, as every import does.
  if (cursor.accept('RESEED', ')')) return { kind: 'rows' };
  if (!cursor.accept('RESEED', ',')) return undefined;
  const value = cursor.integer();
  if (value === undefined || !cursor.accept(')')) return undefined;
  cursor.accept('WITH', 'NO_INFOMSGS');
  return cursor.isAtEnd()
    ? {
        kind: 'position',
        counter: { kind: 'table', parts },
        position: { value, isUsed: true },
        isNextIfEmpty: true,
      }
    : undefined;
}
