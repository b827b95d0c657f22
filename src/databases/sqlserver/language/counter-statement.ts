import { readNextValue, unsupportedCounter } from '../../../sql/counter-statement.ts';
import { tokenCursor } from '../../../sql/token-cursor.ts';
import type { CounterStatement, ReadCounter } from '../../../sql/counter-statement.ts';
import type { TokenCursor } from '../../../sql/token-cursor.ts';

/** `DBCC CHECKIDENT ('dbo.users', RESEED, 50)` and `ALTER SEQUENCE s RESTART WITH 50`. */
export const sqlserverCounter: ReadCounter = (tokens) => {
  const cursor = tokenCursor(tokens);
  if (cursor.accept('DBCC', 'CHECKIDENT', '(')) return readReseed(cursor) ?? unsupportedCounter;
  if (!cursor.accept('ALTER', 'SEQUENCE')) return undefined;
  const parts = cursor.name();
  if (parts === undefined || !cursor.accept('RESTART')) return undefined;
  cursor.accept('WITH');
  return readNextValue(cursor, { kind: 'sequence', parts });
};

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
    ? { kind: 'position', counter: { kind: 'table', parts }, position: { value, isUsed: true } }
    : undefined;
}
