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
import { takeBatches } from './data-files.ts';
import { readRecords } from './files/read-records.ts';
import {
  createReader,
  finish,
  openTrial,
  readNext,
  requireWholeStatement,
  unreadLength,
} from './script-units.ts';
import { appendText, beginText, lineOf } from './script/script.ts';
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
import type { PendingRows, PendingScript } from './files/pending-file.ts';
import type { ScriptFiles } from './script/script-files.ts';
import type { SqlScriptReader } from './script-reader.ts';

export interface SqlOptions extends DialectOptions {
  readonly encoding?: string | undefined;
  /** The order of dates such as `13.12.1956`, if the request names it. */
  readonly dateOrder?: DateOrder | undefined;
  /** Whether schema statements are rejected, skipped with a warning, or have been run already. */
  readonly ddl: 'refuse' | 'skip' | 'applied';
  /** What the script runs within other statements, as the structure shows. */
  readonly executed?: readonly ExecutedStatement[] | undefined;
  /** The other files of the archive that the script is in. */
  readonly files?: ScriptFiles | undefined;
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
  reader: UnitReader<Result>,
): AsyncGenerator<Result, void, undefined> {
  const begin = (head: Head): SqlScriptReader =>
    reader.open(
      source.name,
      findDialect(head.text, options, (choice) => findReadablePart(head, choice, options.files)),
    );
  let sql: SqlScriptReader | undefined;
  for await (const chunk of chunksOf(source, options, () => sql)) {
    sql ??= begin({ name: source.name, text: chunk.text, isWhole: chunk.isLast });
    appendText(sql.script, chunk.text);
    sql.script.isLast = chunk.isLast;
    yield* readUnits(sql, options, reader);
  }
  if (sql === undefined) return;
  finish(sql);
  yield* reader.take(sql);
}

interface ScriptChunk {
  readonly text: string;
  readonly isLast: boolean;
}

/** The text of a script in chunks that are long enough to find its dialect and to complete its units. */
async function* chunksOf(
  source: ByteSource,
  { encoding }: SqlOptions,
  readerOf: () => SqlScriptReader | undefined,
): AsyncGenerator<ScriptChunk, void, undefined> {
  const text = await openText(source, { encoding, guesses: false });
  let nextText = '';
  for await (const chunk of text.open()) {
    nextText += chunk.toString('latin1');
    const sql = readerOf();
    if (sql === undefined && nextText.length < headLength) continue;
    // Waits until the unread text has doubled, so that a long statement is not read again for each batch.
    if (sql !== undefined && nextText.length < unreadLength(sql)) continue;
    yield { text: nextText, isLast: false };
    nextText = '';
    const after = readerOf();
    if (after !== undefined && unreadLength(after) > 2 * maxRowBytes) throw tooLongError(after);
  }
  yield { text: nextText, isLast: true };
}

/** Reads the units of the text, and the files that they name. */
async function* readUnits<Result>(
  sql: SqlScriptReader,
  options: SqlOptions,
  reader: UnitReader<Result>,
): AsyncGenerator<Result, void, undefined> {
  // Not asynchronous: most units yield nothing, and an empty asynchronous `yield*` would wait.
  const unitsUntilFile = function* (): Generator<Result, void, undefined> {
    while (sql.pendingFile === undefined && reader.readNext(sql)) yield* reader.take(sql);
  };
  for (;;) {
    yield* unitsUntilFile();
    const pending = sql.pendingFile;
    if (pending === undefined) return;
    sql.pendingFile = undefined;
    if (pending.kind === 'script') yield* readIncluded(sql, { pending, options }, reader);
    else yield* readDataFile(sql, { pending, options }, reader);
  }
}

interface NamedFile<Pending> {
  readonly pending: Pending;
  readonly options: SqlOptions;
}

async function* readDataFile<Result>(
  sql: SqlScriptReader,
  { pending, options }: NamedFile<PendingRows>,
  { take }: UnitReader<Result>,
): AsyncGenerator<Result, void, undefined> {
  const warn = (message: string): void => sql.context.warn(() => message);
  for await (const records of readRecords(pending.file, { encoding: options.encoding, warn })) {
    for (const record of records) {
      pending.group.add(record);
      sql.rowsRead++;
      sql.ready.push(...takeBatches(pending, { isEnd: false }));
    }
    yield* take(sql);
  }
  sql.ready.push(...takeBatches(pending, { isEnd: true }));
  yield* take(sql);
}

const maxIncludes = 20;

/** Scripts that each run others several times can be few and small, and yet have no end. */
const maxAllIncludes = 1000;

/** Reads another script in place of the statement that names it. Its settings remain. */
async function* readIncluded<Result>(
  sql: SqlScriptReader,
  { pending: { source, line }, options }: NamedFile<PendingScript>,
  reader: UnitReader<Result>,
): AsyncGenerator<Result, void, undefined> {
  const { script } = sql;
  const { name, isLast, lexer } = script;
  if (sql.includes >= maxIncludes)
    throw new StudioError(
      'parse_failed',
      `${name}, line ${line}: scripts name each other more than ${maxIncludes} times.`,
      { line, column: 1 },
    );
  if (sql.allIncludes >= maxAllIncludes)
    throw new StudioError(
      'parse_failed',
      `${name}, line ${line}: the scripts run others more than ${maxAllIncludes} times in total.`,
      { line, column: 1 },
    );
  const rest = lexer.text.slice(lexer.at);
  const firstLine = lineOf(script, lexer.at);
  sql.includes++;
  sql.allIncludes++;
  beginText(script, { name: source.name, firstLine: 1 });
  for await (const { text, isLast: isEnd } of chunksOf(source, options, () => sql)) {
    appendText(script, text);
    script.isLast = isEnd;
    yield* readUnits(sql, options, reader);
  }
  requireWholeStatement(sql);
  beginText(script, { name, firstLine });
  appendText(script, rest);
  script.isLast = isLast;
  sql.includes--;
}

/** The dialect is found from this many characters. */
const headLength = 64 * 1024;

interface ImportParameters {
  readonly context: ImportContext;
  readonly options: SqlOptions;
}

interface Head {
  readonly name: string;
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
  const { ddl, ownDialect, encoding, dateOrder, executed, files } = options;
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
    files,
  });
}

/** How much of a script's beginning a dialect can read. */
function findReadablePart(
  { name, text, isWhole }: Head,
  choice: ScriptDialectChoice,
  files: ScriptFiles | undefined,
): ReadablePart {
  const sql = openTrial(name, choice, { ddl: 'skip', files });
  try {
    appendText(sql.script, text);
    sql.script.isLast = isWhole;
    while (readNext(sql)) sql.pendingFile = undefined;
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
