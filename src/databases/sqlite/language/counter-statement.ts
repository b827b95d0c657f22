import { unsupportedCounter } from '../../../sql/counter-statement.ts';
import { tokenCursor } from '../../../sql/token-cursor.ts';
import type { ReadCounter } from '../../../sql/counter-statement.ts';

/** `UPDATE sqlite_sequence SET seq = 50 WHERE name = 'users'`. Rows of that table are read as rows. */
export const sqliteCounter: ReadCounter = (tokens) => {
  const cursor = tokenCursor(tokens);
  if (!cursor.accept('UPDATE', 'SQLITE_SEQUENCE')) return undefined;
  if (!cursor.accept('SET', 'SEQ', '=')) return unsupportedCounter;
  const value = cursor.integer();
  if (value === undefined || !cursor.accept('WHERE', 'NAME', '=')) return unsupportedCounter;
  const name = cursor.string();
  if (name === undefined || !cursor.isAtEnd()) return unsupportedCounter;
  return {
    kind: 'position',
    counter: { kind: 'table', parts: [name] },
    position: { value, isUsed: true },
  };
};
