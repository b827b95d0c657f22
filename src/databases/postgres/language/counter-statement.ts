import { readNextValue, unsupportedCounter } from '../../../sql/counter-statement.ts';
import { tokenCursor } from '../../../sql/token-cursor.ts';
import type { CounterPosition } from '../../../model/counters.ts';
import type {
  CounterStatement,
  NamedCounter,
  ReadCounter,
} from '../../../sql/counter-statement.ts';
import type { TokenCursor } from '../../../sql/token-cursor.ts';

const rules = { foldsToLower: true };

/** `SELECT setval('users_id_seq', 50, true)`, `ALTER SEQUENCE … RESTART`, `ALTER TABLE … ALTER id RESTART`. */
export const postgresCounter: ReadCounter = (tokens) => {
  const cursor = tokenCursor(tokens, rules);
  if (cursor.accept('SELECT')) {
    cursor.accept('PG_CATALOG', '.');
    if (!cursor.accept('SETVAL', '('))
      return tokens.some(({ kind, text }) => kind === 'word' && text === 'SETVAL')
        ? unsupportedCounter
        : undefined;
    // The studio's own exports advance each sequence past its rows.
    if (cursor.accept('Q', '.', 'SEQRELID')) return { kind: 'rows' };
    return readSetval(cursor) ?? unsupportedCounter;
  }
  if (!cursor.accept('ALTER')) return undefined;
  const counter = cursor.accept('SEQUENCE') ? readSequence(cursor) : readColumn(cursor);
  if (counter === undefined || !cursor.accept('RESTART')) return undefined;
  cursor.accept('WITH');
  return readNextValue(cursor, counter);
};

function readSetval(cursor: TokenCursor): CounterStatement | undefined {
  const column = readOwner(cursor);
  const parts = column?.parts ?? cursor.nameInString();
  if (cursor.accept('::')) {
    cursor.accept('PG_CATALOG', '.');
    if (!cursor.accept('REGCLASS')) return undefined;
  }
  if (parts === undefined || !cursor.accept(',')) return undefined;
  const value = cursor.integer();
  const isUsed = !cursor.accept(',') || cursor.accept('TRUE');
  if (value === undefined || !(isUsed || cursor.accept('FALSE')) || !cursor.accept(')'))
    return undefined;
  const position: CounterPosition = { value, isUsed };
  return cursor.isAtEnd()
    ? { kind: 'position', counter: column ?? { kind: 'sequence', parts }, position }
    : undefined;
}

/** `pg_get_serial_sequence('public.users', 'id')`, where the column is the text itself. */
function readOwner(cursor: TokenCursor): NamedCounter | undefined {
  cursor.accept('PG_CATALOG', '.');
  if (!cursor.accept('PG_GET_SERIAL_SEQUENCE', '(')) return undefined;
  const parts = cursor.nameInString();
  const column = cursor.accept(',') ? cursor.string() : undefined;
  if (parts === undefined || column === undefined || !cursor.accept(')')) return undefined;
  return { kind: 'table', parts, column };
}

function readSequence(cursor: TokenCursor): NamedCounter | undefined {
  cursor.accept('IF', 'EXISTS');
  const parts = cursor.name();
  return parts && { kind: 'sequence', parts };
}

function readColumn(cursor: TokenCursor): NamedCounter | undefined {
  if (!cursor.accept('TABLE')) return undefined;
  cursor.accept('IF', 'EXISTS');
  cursor.accept('ONLY');
  const parts = cursor.name();
  if (parts === undefined || !cursor.accept('ALTER')) return undefined;
  cursor.accept('COLUMN');
  const [column] = cursor.name() ?? [];
  return column === undefined ? undefined : { kind: 'table', parts, column };
}
