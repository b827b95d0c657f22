/** Reports to the import the next generated values of columns and sequences that a script sets. */
import { lineOf } from './script/script.ts';
import { decodeText } from './values/literals.ts';
import type { CounterStatement, NamedCounter } from '../../sql/counter-statement.ts';
import type { ImportContext } from '../row-import.ts';
import type { SqlValue } from './values/literals.ts';
import type { StatementHead } from './insert/row-groups.ts';
import type { Script } from './script/script.ts';
import type { ScriptSession } from './script/session.ts';

interface CounterContext {
  readonly script: Script;
  readonly session: ScriptSession;
  readonly context: ImportContext;
}

interface ReadStatement {
  readonly text: string;
  readonly start: number;
  readonly counter: CounterStatement;
}

export function setCounter(
  { script, session, context }: CounterContext,
  { text, start, counter: read }: ReadStatement,
): void {
  if (read.kind === 'rows') return;
  const statement = `${JSON.stringify(excerpt(nameOf(text)))} (line ${lineOf(script, start)})`;
  if (read.kind === 'unsupported') {
    const sentence = `${statement} was skipped: only a database can compute it. The next generated values follow those of the rows.`;
    return context.warn(() => sentence);
  }
  const { path } = session.settings;
  const counter = decoded(read.counter);
  const { position } = read;
  context.setCounter({ counter, position, statement, ...(path === undefined ? {} : { path }) });
}

/** The text of the script has one character for each byte of the file. */
function nameOf(raw: string): string {
  return decodeText(raw).text;
}

function decoded(counter: NamedCounter): NamedCounter {
  const parts = counter.parts.map(nameOf);
  return counter.kind === 'table' && counter.column !== undefined
    ? { ...counter, parts, column: nameOf(counter.column) }
    : { ...counter, parts };
}

const maxExcerpt = 80;

/** A CREATE TABLE is long, and its counter is near its end. */
function excerpt(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  if (line.length <= maxExcerpt) return line;
  return `${line.slice(0, maxExcerpt / 2)}…${line.slice(-maxExcerpt / 2)}`;
}

/** A row of SQLite's table `sqlite_sequence`, which has the last AUTOINCREMENT value of each table. */
export function setCounterOfRow(
  { script, context }: Pick<CounterContext, 'script' | 'context'>,
  { columns }: StatementHead,
  { fields, line }: { readonly fields: readonly SqlValue[]; readonly line: number },
): void {
  const names = columns?.map((name) => name.toLowerCase()) ?? ['name', 'seq'];
  const name = fields[names.indexOf('name')];
  const last = fields[names.indexOf('seq')];
  const statement = `The row of sqlite_sequence in line ${line}`;
  if (name?.kind !== 'text' || last?.kind !== 'number' || !/^-?\d{1,19}$/.test(last.digits)) {
    // A table that has never had rows can have NULL.
    if (last?.kind !== 'null')
      context.warn(() => `${statement} was skipped: it is not a name and a number.`);
    return;
  }
  const table = Buffer.from(name.raw, 'latin1').toString();
  context.setCounter({
    counter: { kind: 'table', parts: [table] },
    position: { value: BigInt(last.digits), isUsed: true },
    statement: `${statement} of ${script.name}`,
  });
}
