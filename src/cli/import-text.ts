/** The result of an import in sentences. */

export interface FileError {
  readonly message: string;
  readonly table?: string;
  /** The sheet or the file of an archive, if there are several. */
  readonly source?: string;
  readonly row?: number;
  readonly line?: number;
  /** A name, or a position in the line. */
  readonly column?: string | number;
  /** The rejected value; null is NULL. */
  readonly value?: string | null;
}

interface TableCounts {
  readonly rows_imported: number;
  readonly rows_updated: number;
  readonly rows_skipped: number;
}

/** The members of the responses of all imports. Each response has some of them. */
export interface ImportResponse {
  readonly dry_run?: true;
  readonly rows_imported?: number;
  readonly tables?: Readonly<Record<string, TableCounts>>;
  readonly tables_created?: readonly string[];
  readonly tables_altered?: readonly string[];
  readonly routines_created?: readonly string[];
  readonly errors?: readonly FileError[];
  readonly rejected_rows?: number;
  readonly rejected_format?: string;
  readonly warnings: readonly string[];
}

/** One line for each fact; the first one says what happened. */
export function importText(response: ImportResponse): string {
  const { dry_run, tables = {}, errors = [], warnings } = response;
  const lines = [
    ...tableLines('Created', response.tables_created),
    ...tableLines('Altered', response.tables_altered),
    ...routineLines(response.routines_created),
    ...Object.entries(tables).map(([name, counts]) => countsLine(name, counts)),
    ...errors.map((error) => `Error: ${errorLine(error)}`),
    ...warnings.map((warning) => `Warning: ${warning}`),
  ];
  if (dry_run === true)
    lines.unshift(
      `Dry run: nothing was changed.${lines.length === 0 ? '' : ' The import would have this result:'}`,
    );
  return `${(lines.length === 0 ? ['Nothing to import.'] : lines).join('\n')}\n`;
}

function tableLines(verb: string, names: readonly string[] = []): readonly string[] {
  if (names.length === 0) return [];
  const noun = names.length === 1 ? 'table' : 'tables';
  return [`${verb} ${names.length} ${noun}: ${names.join(', ')}`];
}

function routineLines(names: readonly string[] = []): readonly string[] {
  if (names.length === 0) return [];
  const noun = names.length === 1 ? 'trigger or routine' : 'triggers and routines';
  return [`Created ${names.length} ${noun}: ${names.join(', ')}`];
}

function countsLine(name: string, counts: TableCounts): string {
  const { rows_imported, rows_updated, rows_skipped } = counts;
  const parts = [
    `${rows_imported} ${rows_imported === 1 ? 'row' : 'rows'} imported`,
    ...(rows_updated === 0 ? [] : [`${rows_updated} updated`]),
    ...(rows_skipped === 0 ? [] : [`${rows_skipped} skipped`]),
  ];
  return `${name}: ${parts.join(', ')}`;
}

/** `table users, row 3, line 4, column age, value "12x": 12x is no number.` */
export function errorLine(error: FileError): string {
  const { message, source, table, row, line, column, value } = error;
  // Errors of the syntax begin with their position.
  if (table === undefined && line !== undefined && namesLine(message, line)) return message;
  const parts = Object.entries({ table, row, line, column })
    .filter(([, part]) => part !== undefined)
    .map(([name, part]) => `${name} ${part}`);
  const location = source === undefined ? parts : [source, ...parts];
  const isShown = value !== undefined && value !== null && !message.includes(value);
  const all = isShown ? [...location, `value ${JSON.stringify(value)}`] : location;
  return all.length === 0 ? message : `${all.join(', ')}: ${message}`;
}

function namesLine(message: string, line: number): boolean {
  return new RegExp(`\\bline ${line}\\b`, 'i').test(message);
}
