import { useId } from 'react';
import type { JSX } from 'react';
import { Icon } from '../parts/icon.tsx';
import { newTablesTexts as texts } from '../texts/new-tables.ts';
import { checkNewTables, editNewTables } from './import-store.ts';
import {
  columnKinds,
  kindOfColumn,
  withColumn,
  withKey,
  withKind,
  withTable,
} from './new-tables.ts';
import type { ColumnKind, NewColumn, NewTable, NewTables } from './new-tables.ts';

interface NewTablesEditorProps {
  /** As checked, or as changed since. */
  readonly tables: NewTables;
  /** The names of tables and views that exist already. */
  readonly existingNames: ReadonlySet<string>;
  readonly isChanged: boolean;
}

/** Shows the tables that the import creates, with names, types and keys to change. */
export function NewTablesEditor({
  tables,
  existingNames,
  isChanged,
}: NewTablesEditorProps): JSX.Element {
  return (
    <section className="new-tables" aria-label={texts.editor}>
      {tables.tables.map((table) => (
        <TableEditor
          key={table.source}
          table={table}
          nameProblem={nameProblem(table, tables, existingNames)}
          onChange={(changedTable) => editNewTables(withTable(tables, table, changedTable))}
        />
      ))}
      {isChanged && (
        <div className="row">
          <button className="btn" onClick={() => void checkNewTables()}>
            {texts.checkAgain}
          </button>
          <button className="btn quiet" onClick={() => editNewTables(undefined)}>
            {texts.undoChanges}
          </button>
        </div>
      )}
    </section>
  );
}

/** Why a table cannot have its name. */
function nameProblem(
  { name, source }: NewTable,
  { tables }: NewTables,
  existingNames: ReadonlySet<string>,
): string | undefined {
  if (name.trim() === '') return texts.nameMissing;
  if (existingNames.has(name)) return texts.nameExists;
  const isRepeated = tables.some((other) => other.name === name && other.source !== source);
  return isRepeated ? texts.nameRepeated : undefined;
}

interface TableEditorProps {
  readonly table: NewTable;
  readonly onChange: (table: NewTable) => void;
}

interface NamedTableEditorProps extends TableEditorProps {
  readonly nameProblem: string | undefined;
}

function TableName({ table, nameProblem: problem, onChange }: NamedTableEditorProps): JSX.Element {
  const id = useId();
  return (
    <div className="row new-table-name">
      <label className="row">
        <span className="t2">{texts.tableName}</span>
        <span className={`field ${problem === undefined ? '' : 'invalid'}`}>
          <input
            className="bare mono"
            value={table.name}
            aria-invalid={problem !== undefined}
            aria-describedby={problem === undefined ? undefined : id}
            onChange={(event) => onChange({ ...table, name: event.target.value })}
          />
        </span>
      </label>
      {problem !== undefined && (
        <span id={id} className="err small" role="status">
          {problem}
        </span>
      )}
    </div>
  );
}

function TableEditor({
  table,
  nameProblem: problem,
  onChange,
}: NamedTableEditorProps): JSX.Element {
  return (
    <>
      <TableName table={table} nameProblem={problem} onChange={onChange} />
      <table className="plain new-columns">
        <thead>
          <tr>
            <th scope="col">{texts.inFile}</th>
            <th scope="col">{texts.column}</th>
            <th scope="col">{texts.type}</th>
            <th scope="col">{texts.nullable}</th>
            <th scope="col">{texts.key}</th>
            <th scope="col" aria-label={texts.skipTitle} />
          </tr>
        </thead>
        <tbody>
          {table.columns.map((column) => (
            <ColumnEditor
              key={column.source ?? column.name}
              table={table}
              column={column}
              onChange={onChange}
            />
          ))}
        </tbody>
      </table>
    </>
  );
}

interface ColumnEditorProps extends TableEditorProps {
  readonly column: NewColumn;
}

function ColumnEditor({ table, column, onChange }: ColumnEditorProps): JSX.Element {
  const source = column.source ?? column.name;
  const isKey = (table.primary_key ?? []).includes(column.name);
  const change = (changedColumn: NewColumn | undefined): void =>
    onChange(withColumn(table, column, changedColumn));
  return (
    <tr>
      <td className="m">{source}</td>
      <td>
        <span className="field">
          <input
            className="bare mono"
            aria-label={texts.rename({ source })}
            value={column.name}
            onChange={(event) => change({ ...column, name: event.target.value })}
          />
        </span>
      </td>
      <td>
        <TypeChoice column={column} onChange={change} />
      </td>
      <td data-title={texts.nullable}>
        <input
          type="checkbox"
          aria-label={texts.nullableOf({ source })}
          checked={column.is_nullable}
          disabled={isKey}
          onChange={(event) => change({ ...column, is_nullable: event.target.checked })}
        />
      </td>
      <td data-title={texts.key}>
        <input
          type="checkbox"
          aria-label={texts.keyOf({ source })}
          checked={isKey}
          onChange={(event) => onChange(withKey(table, column, event.target.checked))}
        />
      </td>
      <td>
        <button
          className="ib"
          aria-label={texts.skip({ source })}
          title={texts.skipTitle}
          disabled={table.columns.length === 1}
          onClick={() => change(undefined)}
        >
          <Icon name="close" />
        </button>
      </td>
    </tr>
  );
}

interface TypeChoiceProps {
  readonly column: NewColumn;
  readonly onChange: (column: NewColumn) => void;
}

/** A proposed type that is none of the kinds, such as decimal(8,2), stays until another is selected. */
function TypeChoice({ column, onChange }: TypeChoiceProps): JSX.Element {
  const kind = kindOfColumn(column);
  return (
    <span className="field select">
      <select
        className="bare"
        aria-label={texts.typeOf({ source: column.source ?? column.name })}
        value={kind ?? ''}
        onChange={(event) => {
          if (event.target.value !== '')
            onChange(withKind(column, event.target.value as ColumnKind));
        }}
      >
        {kind === undefined && <option value="">{column.type}</option>}
        {columnKinds.map((name) => (
          <option key={name} value={name}>
            {texts.kinds[name]}
          </option>
        ))}
      </select>
    </span>
  );
}
