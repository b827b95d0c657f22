/**
 * Reads rows from SQL scripts as dump tools write them: INSERT and REPLACE … VALUES, COPY … FROM
 * stdin. The script is never executed: values are evaluated here and inserted as parameters.
 * Scripts are read as a stream, so they can have any size.
 */
import { StudioError } from '../../model/errors.ts';
import { maxRowBytes } from '../row-import.ts';
import { openText } from '../text-source.ts';
import { createBackslashWarner, warnAboutDialect } from './script/dialect-warnings.ts';
import { findDialect } from './script/find-dialect.ts';
import { createReader, finish, openTrial, readNext, unreadLength } from './script-units.ts';
import { appendText, lineOf } from './script/script.ts';
import type { DateOrder } from '../../portable/cells/cell-format.ts';
import type { ExecutedStatement } from '../../sql/ddl/ddl-reader.ts';
import type { ByteSource } from '../../portable/files/byte-source.ts';
import type { ImportContext, RowBatches } from '../row-import.ts';
import type {
  DialectOptions,
  FoundDialect,
  ReadablePart,
  ScriptDialectChoice,
} from './script/find-dialect.ts';
import type { SqlScriptReader } from './script-reader.ts';

export interface SqlOptions extends DialectOptions {
  readonly encoding?: string | undefined;
  /** The order of dates such as `13.12.1956`, if the request names it. */
  readonly dateOrder?: DateOrder | undefined;
  /** Whether schema statements are rejected, skipped with a warning, or have been run already. */
  readonly ddl: 'refuse' | 'skip' | 'applied';
  /** What the script runs within other statements, as the structure shows. */
  readonly executed?: readonly ExecutedStatement[] | undefined;
}

export async function* readSql(
  source: ByteSource,
  context: ImportContext,
  options: SqlOptions,
): RowBatches {
  yield* readScript(source, options, {
    open: (name, found) => openForRows(name, found, { context, options }),
    readNext,
    take: ({ ready }) => (ready.length === 0 ? ready : ready.splice(0)),
  });
}

/** How the units of a script are read, and what is taken of them. */
export interface UnitReader<Result> {
  open(name: string, found: FoundDialect): SqlScriptReader;
  /** Reads the next unit. Returns false if there is none, or if the text does not contain all of it. */
  readNext(sql: SqlScriptReader): boolean;
  /** Takes what the units so far have yielded. */
  take(sql: SqlScriptReader): readonly Result[];
}

/** Reads a script as a stream, in the dialect of the request or the one that its beginning shows. */
export async function* readScript<Result>(
  source: ByteSource,
  options: SqlOptions,
  { open, readNext: readNextUnit, take }: UnitReader<Result>,
): AsyncGenerator<Result, void, undefined> {
  const begin = (head: Head): SqlScriptReader =>
    open(
      source.name,
      findDialect(head.text, options, (choice) => findReadablePart(head, choice)),
    );
  // Not asynchronous: most units yield nothing, and an empty asynchronous `yield*` would wait.
  const resultsOf = function* (reader: SqlScriptReader): Generator<Result, void, undefined> {
    while (readNextUnit(reader)) yield* take(reader);
  };
  const text = await openText(source, { encoding: options.encoding, guesses: false });
  let sql: SqlScriptReader | undefined;
  let nextText = '';
  for await (const chunk of text.open()) {
    nextText += chunk.toString('latin1');
    if (sql === undefined && nextText.length < headLength) continue;
    sql ??= begin({ text: nextText, isWhole: false });
    // Waits until the unread text has doubled, so that a long statement is not read again for each batch.
    if (nextText.length < unreadLength(sql)) continue;
    appendText(sql.script, nextText);
    nextText = '';
    yield* resultsOf(sql);
    if (unreadLength(sql) > 2 * maxRowBytes) throw tooLongError(sql);
  }
  sql ??= begin({ text: nextText, isWhole: true });
  appendText(sql.script, nextText);
  sql.script.isLast = true;
  yield* resultsOf(sql);
  finish(sql);
  yield* take(sql);
}

/** The dialect is found from this many characters. */
const headLength = 64 * 1024;

interface ImportParameters {
  readonly context: ImportContext;
  readonly options: SqlOptions;
}

interface Head {
  readonly text: string;
  /** The text is the whole script. */
  readonly isWhole: boolean;
}

function openForRows(
  name: string,
  found: FoundDialect,
  { context, options }: ImportParameters,
): SqlScriptReader {
  warnAboutDialect(context, name, found);
  const onBackslash = createBackslashWarner(context, found, options);
  const { ddl, ownDialect, encoding, dateOrder, executed } = options;
  const isDecoded = encoding !== undefined;
  return createReader(name, found.choice, {
    context,
    onBackslash,
    ddl,
    ownDialect,
    dateOrder,
    isTrial: false,
    isDecoded,
    executed,
  });
}

/** How much of a script's beginning a dialect can read. */
function findReadablePart({ text, isWhole }: Head, choice: ScriptDialectChoice): ReadablePart {
  const sql = openTrial('', choice, 'skip');
  try {
    appendText(sql.script, text);
    sql.script.isLast = isWhole;
    while (readNext(sql));
    if (isWhole) finish(sql);
    return { length: Infinity, rows: sql.rowsRead };
  } catch (error) {
    if (!(error instanceof StudioError)) throw error;
    return { length: sql.script.lexer.at, rows: sql.rowsRead };
  }
}

function tooLongError({ script }: SqlScriptReader): StudioError {
  const line = lineOf(script, script.lexer.at);
  return new StudioError(
    'parse_failed',
    `${script.name}: the statement or row that begins on line ${line} is too long; maybe a quote is not closed.`,
    { line, column: 1 },
  );
}
