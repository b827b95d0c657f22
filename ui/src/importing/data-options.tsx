import type { JSX } from 'react';
import { encodeList } from '../../../src/contract/comma-list.ts';
import type { Table } from '../api/queries.ts';
import { allSheets } from '../file-preview/file-preview.ts';
import { databaseChoices } from '../parts/database-choices.ts';
import { CheckField, Segments, SelectField } from '../parts/choice-field.tsx';
import { newTablesTexts } from '../texts/new-tables.ts';
import { autoDetect, FormatOptions } from './format-options.tsx';
import { choose, choosePartTables, chooseSheet, setReadOptions } from './import-store.ts';
import type { ImportState } from './import-store.ts';
import {
  canCreateTables,
  fillsTables,
  newTable,
  suggestPartTables,
  withNewTables,
  withoutNewTables,
} from './part-tables.ts';
import { needsTable } from './suggest-target.ts';
import { importingTexts as texts } from '../texts/importing.ts';
import { commonTexts } from '../texts/common.ts';

const modes = [
  ['append', texts.append],
  ['replace', texts.replaceAll],
] as const;

const conflicts = [
  ['error', texts.stop],
  ['skip', texts.skipRow],
  ['update', texts.updateRow],
] as const;

const delimiters = [
  [',', commonTexts.comma],
  [';', commonTexts.semicolon],
  ['\t', commonTexts.tab],
  ['|', commonTexts.pipe],
] as const;

/** Common encodings of old files. The command line accepts others, too. */
const encodings = Object.entries(texts.encodings);

const sheetFormats: ReadonlySet<string | undefined> = new Set(['csv', 'xlsx', 'zip']);

interface DataOptionsProps {
  readonly state: ImportState;
  readonly tables: readonly Table[];
  /** The format of some values is unclear. */
  readonly hasProblems: boolean;
  /** Columns of existing tables store a text that does not fit their type. */
  readonly storesAnyText: boolean;
}

/** The options of a data import. */
export function DataOptions({
  state,
  tables,
  hasProblems,
  storesAnyText,
}: DataOptionsProps): JSX.Element {
  const { choices, format, preview } = state;
  const isForOneTable = format !== 'sql' && preview.tables === undefined;
  return (
    <div className="options">
      {isForOneTable && <TableChoice state={state} tables={tables} />}
      {preview.tables !== undefined && <NewTablesChoice state={state} tables={tables} />}
      <ReadOptionFields state={state} />
      {fillsExisting(choices) && <ExistingRowOptions state={state} tables={tables} />}
      <Segments
        label={texts.invalidRows}
        value={choices.onError}
        choices={[
          ['abort', texts.stop],
          ['skip', texts.skip],
        ]}
        onChoose={(onError) => choose({ onError })}
      />
      {sheetFormats.has(format) && (
        <FormatOptions
          state={state}
          isNeeded={hasProblems}
          isOnRequest={storesAnyText && fillsExisting(choices)}
        />
      )}
      {format === 'sql' && <SqlOptions state={state} />}
    </div>
  );
}

function fillsExisting({ createsTables, parts }: ImportState['choices']): boolean {
  return parts === undefined ? !createsTables : fillsTables(parts);
}

/** Creates the tables of the file, or of those sheets or files that have none. */
function NewTablesChoice({
  state: { choices, preview },
  tables,
}: Pick<DataOptionsProps, 'state' | 'tables'>): JSX.Element | null {
  const { parts, createsTables } = choices;
  if (parts !== undefined && !canCreateTables(parts)) return null;
  const change = (isNew: boolean): void => {
    if (parts === undefined)
      return choose({ createsTables: isNew, isTargetSelected: true, newTables: undefined });
    choosePartTables(
      isNew
        ? withNewTables(parts)
        : (suggestPartTables(preview, tables, withoutNewTables(parts)) ?? parts),
    );
  };
  return (
    <CheckField isOn={createsTables} onChange={change}>
      {newTablesTexts.createTables}
    </CheckField>
  );
}

/** What happens to the rows of an existing table. */
function ExistingRowOptions({
  state: { choices },
  tables,
}: Pick<DataOptionsProps, 'state' | 'tables'>): JSX.Element {
  return (
    <>
      <Segments
        label={texts.mode}
        value={choices.mode}
        choices={modes}
        onChoose={(mode) => choose({ mode })}
      />
      <Segments
        label={texts.onConflict}
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
          label={commonTexts.delimiter}
          value={delimiter}
          choices={delimiters}
          onChoose={(selectedDelimiter) => setReadOptions({ delimiter: selectedDelimiter })}
        />
      )}
      {format === 'csv' && (
        <SelectField
          label={texts.encoding}
          value={choices.encoding}
          choices={[['', autoDetect(encodingTitle(preview.encoding))], ...encodings]}
          onChoose={(encoding) => setReadOptions({ encoding })}
        />
      )}
      {sheets.length > 1 && (
        <SelectField
          label={texts.sheet}
          value={sheet}
          choices={[...sheets.map((name) => [name, name] as const), [allSheets, texts.allSheets]]}
          onChoose={chooseSheet}
        />
      )}
    </>
  );
}

function encodingTitle(name: string | undefined): string | undefined {
  return encodings.find(([other]) => other === name)?.[1] ?? name;
}

function TableChoice({
  state: { choices, format, preview },
  tables,
}: Pick<DataOptionsProps, 'state' | 'tables'>): JSX.Element {
  const none = needsTable({ format, preview }) ? texts.chooseTable : texts.fromFile;
  return (
    <SelectField
      label={texts.targetTable}
      value={choices.createsTables ? newTable : choices.table}
      choices={[
        ['', none],
        [newTable, newTablesTexts.newTable],
        ...tables.map(({ name }) => [name, name] as const),
      ]}
      onChoose={(table) =>
        choose(
          table === newTable
            ? { createsTables: true, isTargetSelected: true, newTables: undefined }
            : { createsTables: false, isTargetSelected: true, table },
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
      label={texts.key}
      value={value}
      choices={[
        ['', table.primary_key.join(', ')],
        ...keys.map((columns) => [encodeList(columns), columns.join(', ')] as const),
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
    .filter((columns) => encodeList(columns) !== encodeList(primary));
}

function SqlOptions({ state: { choices } }: { readonly state: ImportState }): JSX.Element {
  return (
    <>
      <SelectField
        label={texts.sourceDatabase}
        value={choices.dialect}
        choices={[['', texts.autoDetect], ...databaseChoices]}
        onChoose={(dialect) => choose({ dialect })}
      />
      <CheckField
        isOn={choices.skipsOtherStatements}
        onChange={(skipsOtherStatements) => choose({ skipsOtherStatements })}
      >
        {texts.skipCreates}
      </CheckField>
    </>
  );
}
