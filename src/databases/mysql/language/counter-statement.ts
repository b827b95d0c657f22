import { readNextValue, unsupportedCounter } from '../../../sql/counter-statement.ts';
import { tokenCursor } from '../../../sql/token-cursor.ts';
import type { CounterStatement, ReadCounter } from '../../../sql/counter-statement.ts';
import type { TokenCursor } from '../../../sql/token-cursor.ts';

/** `ALTER TABLE t AUTO_INCREMENT = 50`, the same option of CREATE TABLE, and sequences of MariaDB. */
export const mysqlCounter: ReadCounter = (tokens) => {
  const cursor = tokenCursor(tokens);
  if (cursor.accept('DO', 'SETVAL', '(') || cursor.accept('SELECT', 'SETVAL', '('))
    return readSetval(cursor) ?? unsupportedCounter;
  if (cursor.accept('ALTER', 'SEQUENCE')) return readRestart(cursor);
  if (cursor.accept('ALTER', 'TABLE')) return readTable(cursor, { isNew: false });
  return cursor.accept('CREATE', 'TABLE') ? readTable(cursor, { isNew: true }) : undefined;
};

/** `SETVAL(sequence, value, is_used, round)`: https://mariadb.com/kb/en/setval/ */
function readSetval(cursor: TokenCursor): CounterStatement | undefined {
  const parts = cursor.name();
  if (parts === undefined || !cursor.accept(',')) return undefined;
  const value = cursor.integer();
  const isUsed = cursor.accept(',') ? cursor.integer() : 1n;
  const round = cursor.accept(',') ? cursor.integer() : 0n;
  if (value === undefined || isUsed === undefined || round !== 0n) return undefined;
  if (!cursor.accept(')') || !cursor.isAtEnd()) return undefined;
  return {
    kind: 'position',
    counter: { kind: 'sequence', parts },
    position: { value, isUsed: isUsed !== 0n },
  };
}

function readRestart(cursor: TokenCursor): CounterStatement | undefined {
  cursor.accept('IF', 'EXISTS');
  const parts = cursor.name();
  if (parts === undefined || !cursor.accept('RESTART')) return undefined;
  if (!cursor.accept('WITH')) cursor.accept('=');
  return readNextValue(cursor, { kind: 'sequence', parts });
}

/**
 * In CREATE TABLE, the option is one of many that follow the columns. phpMyAdmin writes it after a column:
 * `ALTER TABLE t MODIFY id int AUTO_INCREMENT, AUTO_INCREMENT = 50`.
 */
function readTable(
  cursor: TokenCursor,
  { isNew }: { readonly isNew: boolean },
): CounterStatement | undefined {
  if (isNew) cursor.accept('IF', 'NOT', 'EXISTS');
  const parts = cursor.name();
  if (parts === undefined) return undefined;
  const isFirst = cursor.accept('AUTO_INCREMENT');
  let value = isFirst ? readOption(cursor) : undefined;
  while (value === undefined && cursor.skipPast('AUTO_INCREMENT')) value = readOption(cursor);
  if (value === undefined) return undefined;
  return {
    kind: 'position',
    counter: { kind: 'table', parts },
    position: { value, isUsed: false },
    ...(isNew || !isFirst || !cursor.isAtEnd() ? { changesSchema: true } : {}),
  };
}

function readOption(cursor: TokenCursor): bigint | undefined {
  cursor.accept('=');
  return cursor.integer();
}
