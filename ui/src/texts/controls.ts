/** The names of the controls of the import page in messages, by the parameters that they set. */
import { commonTexts } from './common.ts';
import { importingTexts } from './importing.ts';
import { newTablesTexts } from './new-tables.ts';

export const controlTexts: {
  /** Sentences in which a label alone would make no sense. */
  readonly phrases: readonly (readonly [phrase: RegExp, text: string])[];
  readonly labels: Readonly<Record<string, string>>;
  /** Values whose control is a button or a check box of its own. */
  readonly choices: Readonly<Record<string, string>>;
} = {
  phrases: [
    [/\b([Ss])et header to absent\b/g, `$1witch off ${quoted(importingTexts.hasHeader)}`],
    [
      /\b[Ss]et date_order to DMY or MDY\b/g,
      `Go back and select the ${quoted(importingTexts.dateOrder)}`,
    ],
    [/; Go back /g, '; go back '],
    [/\bin the order DMY\b/g, 'with the day first'],
    [/\bin the order MDY\b/g, 'with the month first'],
    [/\bin the order YMD\b/g, 'with the year first'],
    [
      / Map "(.*?)" to a table with the parameter "tables", or to null to leave it out\./g,
      ' Select a table for "$1", or skip it.',
    ],
    [
      / Map "(.*?)" to a column of the table, or to null to skip it\./g,
      ' Select a column for "$1", or skip it.',
    ],
    [
      / Set the parameter "mapping", for example to .*?\}\./g,
      ` Switch on ${quoted(importingTexts.hasHeader)}, or select the columns.`,
    ],
    [/; leave table and sheet out\./g, '.'],
    [/, or set tables? to another name\b/g, ', or choose another name'],
  ],
  labels: {
    table: quoted(importingTexts.targetTable),
    tables: 'the tables of the sheets, files or arrays',
    on_conflict: quoted(importingTexts.onConflict),
    conflict_columns: quoted(importingTexts.key),
    on_error: quoted(importingTexts.invalidRows),
    mapping: 'the mapping of the columns',
    mode: quoted(importingTexts.mode),
    dialect: quoted(importingTexts.sourceDatabase),
    sheet: quoted(importingTexts.sheet),
    delimiter: quoted(commonTexts.delimiter),
    encoding: quoted(importingTexts.encoding),
    header: quoted(importingTexts.hasHeader),
    skip_rows: quoted(importingTexts.skipRows),
    quote: quoted(importingTexts.quote),
    decimal: quoted(importingTexts.decimal),
    date_order: quoted(importingTexts.dateOrder),
    true_words: quoted(importingTexts.trueWords),
    false_words: quoted(importingTexts.falseWords),
    null_text: quoted(commonTexts.nullText),
    trim: quoted(importingTexts.trim),
    formulas: quoted(importingTexts.keepApostrophes),
    create_table: quoted(newTablesTexts.newTable),
    keep_rejected: quoted(importingTexts.downloadRejected),
    schema: quoted(newTablesTexts.editor),
    dry_run: quoted(importingTexts.step.check),
    ddl: quoted(importingTexts.skipCreates),
    data: quoted(importingTexts.skipInserts),
    if_exists: quoted(importingTexts.skipExisting),
    routines: quoted(importingTexts.skipsRoutines),
    structs: quoted(importingTexts.structsToImport),
    table_prefix: quoted(importingTexts.tablePrefix),
    singular_tables: quoted(importingTexts.singularTables),
    replacements: quoted(importingTexts.replaceInNames),
    foreign_keys: quoted(importingTexts.noForeignKeys),
  },
  choices: {
    'mode=replace': quoted(importingTexts.replaceAll),
    'on_error=skip': quoted(importingTexts.skipInvalid),
    'on_conflict=skip': quoted(importingTexts.skipRow),
    'on_conflict=update': quoted(importingTexts.updateRow),
  },
};

function quoted(label: string): string {
  return `“${label}”`;
}
