import { bindingsOf } from '../driver/bindings.ts';
import { readProgram } from '../driver/explain.ts';
import type { Query } from '../../../model/database.ts';
import type { Connection } from '../driver/driver.ts';

/** SQLite flags these as deterministic, but an argument of `now` makes them depend on the clock. */
const clockFunctions: ReadonlySet<string> = new Set([
  'current_date',
  'current_time',
  'current_timestamp',
  'date',
  'datetime',
  'julianday',
  'strftime',
  'time',
  'timediff',
  'unixepoch',
]);

/**
 * Whether a query returns the same rows until the next commit. The program that SQLite compiles it to
 * must call only functions that depend on the file alone, and must not read a virtual table, whose rows
 * may come from elsewhere. https://www.sqlite.org/opcode.html
 */
export function isRepeatable(connection: Connection, { text, params }: Query): boolean {
  const program = readProgram(connection, text, bindingsOf(text, params));
  let deterministic: ReadonlySet<string> | undefined;
  return program.every(({ opcode = null, p4 = null }) => {
    if (opcode === 'VOpen') return false;
    if (opcode !== 'Function' && opcode !== 'PureFunc') return true;
    const name = String(p4).replace(/\(-?\d+\)$/, '');
    deterministic ??= deterministicFunctions(connection);
    return deterministic.has(name) && !clockFunctions.has(name);
  });
}

/** https://www.sqlite.org/c3ref/c_deterministic.html */
const deterministicFlag = 0x800;

function deterministicFunctions(connection: Connection): ReadonlySet<string> {
  const text = `SELECT name FROM pragma_function_list GROUP BY name HAVING MIN(flags & ${deterministicFlag}) <> 0`;
  return new Set(
    connection
      .statement(text)
      .all([], false)
      .map(([name]) => String(name)),
  );
}
