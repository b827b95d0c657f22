import type { JSX } from 'react';
import type { Table } from '../api/queries.ts';
import { databaseChoices } from '../parts/database-choices.ts';
import { CheckField, Segments, SelectField } from '../parts/choice-field.tsx';
import { newTablesTexts } from '../texts/new-tables.ts';
import { choose, setReadOptions, needsTable } from './import-store.ts';
import type { ImportState } from './import-store.ts';

const modes = [
  ['append', 'Append'],
  ['replace', 'Replace all'],
] as const;

const conflicts = [
  ['error', 'Stop'],
  ['skip', 'Skip row'],
  ['update', 'Update row'],
] as const;

const delimiters = [
  [',', 'Comma'],
  [';', 'Semicolon'],
  ['\t', 'Tab'],
  ['|', 'Pipe'],
] as const;

/** Common encodings of old files. The command line accepts all others. */
const encodings = [
  ['', 'Auto-detect'],
  ['utf-8', 'UTF-8'],
  ['windows-1252', 'Windows, Western'],
  ['windows-1250', 'Windows, Central European'],
  ['windows-1251', 'Windows, Cyrillic'],
  ['iso-8859-1', 'Latin 1'],
  ['utf-16le', 'UTF-16 LE'],
  ['shift_jis', 'Shift JIS'],
  ['gb18030', 'GB 18030'],
] as const;

const sheetFormats: ReadonlySet<string> = new Set(['CSV', 'Excel', 'CSV files in a zip']);

interface DataOptionsProps {
  readonly state: ImportState;
  readonly tables: readonly Table[];
}

/** The options of a data import. */
export function DataOptions({ state, tables }: DataOptionsProps): JSX.Element {
  const { choices, format, preview } = state;
  const isForOneTable = format !== 'SQL' && preview.tables === undefined;
  return (
    <div className="options">
      {isForOneTable && <TableChoice state={state} tables={tables} />}
      {preview.tables !== undefined && (
        <CheckField
          isOn={choices.createsTables}
          onChange={(createsTables) => choose({ createsTables, newTables: undefined })}
        >
          {newTablesTexts.createTables}
        </CheckField>
      )}
      <ReadOptionFields state={state} />
      {!choices.createsTables && <ExistingRowOptions state={state} tables={tables} />}
      <Segments
        label="Invalid rows"
        value={choices.onError}
        choices={[
          ['abort', 'Stop'],
          ['skip', 'Skip'],
        ]}
        onChoose={(onError) => choose({ onError })}
      />
      {sheetFormats.has(format) && (
        <CheckField
          isOn={choices.keepsFormulaApostrophes}
          onChange={(keepsFormulaApostrophes) => choose({ keepsFormulaApostrophes })}
        >
          Keep an apostrophe before a formula
        </CheckField>
      )}
      {format === 'SQL' && <SqlOptions state={state} />}
    </div>
  );
}

/** What happens to the rows of an existing table. */
function ExistingRowOptions({ state: { choices }, tables }: DataOptionsProps): JSX.Element {
  return (
    <>
      <Segments
        label="Rows"
        value={choices.mode}
        choices={modes}
        onChoose={(mode) => choose({ mode })}
      />
      <Segments
        label="If the key already exists"
        value={choices.onConflict}
        choices={conflicts}
        onChoose={(onConflict) => choose({ onConflict })}
      />
      {choices.onConflict !== 'error' && (
        <KeyChoice
          table={tables.find(({ name }) => name === choices.table)}
          value={choices.conflictColumns}
        />
      )}
    </>
  );
}

/** The options for reading the file: delimiter, encoding, sheet. */
function ReadOptionFields({
  state: { choices, format, preview },
}: {
  readonly state: ImportState;
}): JSX.Element {
  const { delimiter, sheets = [], sheet = '' } = preview;
  return (
    <>
      {delimiter !== undefined && (
        <SelectField
          label="Field delimiter"
          value={delimiter}
          choices={delimiters}
          onChoose={(selectedDelimiter) => setReadOptions({ delimiter: selectedDelimiter })}
        />
      )}
      {format === 'CSV' && (
        <SelectField
          label="Encoding"
          value={choices.encoding}
          choices={encodings}
          onChoose={(encoding) => setReadOptions({ encoding })}
        />
      )}
      {sheets.length > 1 && (
        <SelectField
          label="Sheet"
          value={sheet}
          choices={sheets.map((name) => [name, name] as const)}
          onChoose={(name) => setReadOptions({ sheet: name })}
        />
      )}
    </>
  );
}

/** No table has this name: the databases that are served do not permit NUL in names. */
const newTable = '\0';

function TableChoice({ state: { choices, ...state }, tables }: DataOptionsProps): JSX.Element {
  const none = needsTable({ choices, ...state }) ? 'Choose a table' : 'From the file';
  return (
    <SelectField
      label="Into"
      value={choices.createsTables ? newTable : choices.table}
      choices={[
        ['', none],
        [newTable, newTablesTexts.newTable],
        ...tables.map(({ name }) => [name, name] as const),
      ]}
      onChoose={(table) =>
        choose(
          table === newTable
            ? { createsTables: true, newTables: undefined }
            : { createsTables: false, table },
        )
      }
    />
  );
}

interface KeyChoiceProps {
  readonly table: Table | undefined;
  readonly value: string;
}

/** Selects the key that identifies existing rows, if the table has several. */
function KeyChoice({ table, value }: KeyChoiceProps): JSX.Element | null {
  const keys = table === undefined ? [] : uniqueKeys(table);
  if (table === undefined || keys.length === 0) return null;
  return (
    <SelectField
      label="Key"
      value={value}
      choices={[
        ['', table.primary_key.join(', ')],
        ...keys.map((columns) => [keyText(columns), columns.join(', ')] as const),
      ]}
      onChoose={(conflictColumns) => choose({ conflictColumns })}
    />
  );
}

/** Returns the unique keys besides the primary key. Partial and expression indexes are not keys. */
function uniqueKeys({ indexes, primary_key: primary }: Table): readonly (readonly string[])[] {
  return indexes
    .filter((index) => index.is_unique && index.where === '')
    .filter(({ parts }) => parts.every(({ column }) => column !== undefined))
    .map(({ columns }) => columns)
    .filter((columns) => keyText(columns) !== keyText(primary));
}

function keyText(columns: readonly string[]): string {
  return columns.map((name) => encodeURIComponent(name)).join(',');
}

function SqlOptions({ state: { choices } }: { readonly state: ImportState }): JSX.Element {
  return (
    <>
      <SelectField
        label="Source database"
        value={choices.dialect}
        choices={[['', 'Auto-detect'], ...databaseChoices]}
        onChoose={(dialect) => choose({ dialect })}
      />
      <CheckField
        isOn={choices.skipsOtherStatements}
        onChange={(skipsOtherStatements) => choose({ skipsOtherStatements })}
      >
        Skip statements that create tables
      </CheckField>
    </>
  );
}
