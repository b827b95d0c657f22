/** Writes INSERT statements, in one transaction and in an order that foreign keys allow. */
import { renderRows } from '../render-rows.ts';
import type { Frame, ScriptDialect, ScriptTable } from '../../model/script-dialect.ts';
import type { Row } from '../../model/values.ts';
import type { FileChunks, TableRows, TableStream } from '../row-export.ts';

export interface ScriptOptions {
  readonly dialect: ScriptDialect;
  /** Comment lines at the beginning of the script. */
  readonly heading: readonly string[];
  /** Statements that defer foreign keys which the order of the tables does not satisfy. */
  readonly keys: Frame;
}

/** Tables must come in the order of their foreign keys. */
export async function* writeSqlTables(tables: TableStream, options: ScriptOptions): FileChunks {
  const { dialect, heading, keys } = options;
  const { begin, end } = dialect.frame;
  yield heading.map((line) => `-- ${line.replaceAll(/[\r\n]+/g, ' ')}\n`).join('');
  yield statements([...begin, ...keys.begin], dialect);
  for await (const rows of tables) yield* tableStatements(rows, dialect);
  yield `\n${statements([...keys.end, ...end], dialect)}`;
}

async function* tableStatements(rows: TableRows, dialect: ScriptDialect): FileChunks {
  const { begin, end } = dialect.tableFrame(rows);
  const numbered = numberedColumns(rows);
  const tuples = insertsOf(rows, dialect);
  let isEmpty = true;
  for await (const text of renderRows(rows, (row) => tuples.write(numbered.note(row)))) {
    yield isEmpty ? `\n${statements(begin, dialect)}${text}` : text;
    isEmpty = false;
  }
  if (isEmpty) return;
  const sequenceUpdates = [...numbered.found].flatMap(
    (column) => dialect.advanceIdentity(rows, column) ?? [],
  );
  yield tuples.finish() + statements([...end, ...sequenceUpdates], dialect);
}

function statements(texts: readonly string[], { terminator }: ScriptDialect): string {
  return texts.map((text) => text + terminator).join('');
}

/** Renders rows as tuples of INSERT statements of limited size. */
interface Tuples {
  write(row: Row): string;
  /** Ends the last INSERT. */
  finish(): string;
}

const maxInsertLength = 256 * 1024;

function insertsOf(target: ScriptTable, dialect: ScriptDialect): Tuples {
  const literals = target.columns.map((column) => dialect.literal(column));
  const head = `${dialect.insertInto(target)}\n`;
  let rows = 0;
  let length = 0;
  return {
    write: (row) => {
      let tuple = '(';
      for (let i = 0; i < literals.length; i++)
        tuple += (i === 0 ? '' : ', ') + literals[i]!(row[i] ?? null);
      const isFull = rows >= dialect.maxRows || length + tuple.length > maxInsertLength;
      const before = rows === 0 ? head : isFull ? dialect.terminator + head : ',\n';
      rows = isFull ? 1 : rows + 1;
      length = isFull ? tuple.length : length + tuple.length;
      return `${before}${tuple})`;
    },
    finish: () => dialect.terminator,
  };
}

interface NumberedColumns {
  /** Records which of the columns have a value. Returns the row. */
  note(row: Row): Row;
  readonly found: ReadonlySet<string>;
}

/** Finds auto-increment columns in which rows have values. */
function numberedColumns({ columns }: ScriptTable): NumberedColumns {
  const found = new Set<string>();
  const numbering = columns.flatMap(({ name, autoIncrement }, i) =>
    autoIncrement === true ? [{ name, i }] : [],
  );
  return {
    note: (row) => {
      for (const { name, i } of numbering) if ((row[i] ?? null) !== null) found.add(name);
      return row;
    },
    found,
  };
}
