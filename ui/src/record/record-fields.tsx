import type { JSX } from 'react';
import type { Column, Table } from '../api/queries.ts';
import { CellView } from '../cells/cell-view.tsx';
import { typeText } from '../cells/value-kind.ts';
import { columnDisabledReason, stageShownRow } from '../editing/edit-target.ts';
import { saveErrorAt } from '../editing/save-error.ts';
import { shownValue } from '../editing/shown-rows.ts';
import type { ShownRow } from '../editing/shown-rows.ts';
import { useStaged } from '../editing/staged-store.ts';
import { Icon } from '../parts/icon.tsx';
import type { IconName } from '../parts/icon.tsx';
import { FieldEditor } from './field-editor.tsx';
import type { FieldProps } from './field-props.ts';
import type { RecordAddress } from './record-address.ts';
import { recordTexts as texts } from '../texts/record.ts';
import { commonTexts } from '../texts/common.ts';

interface RecordFieldsProps {
  readonly table: Table;
  readonly shown: ShownRow;
  readonly address: RecordAddress;
  /** Why the record cannot be changed. Undefined when it can. */
  readonly readOnlyReason: string | undefined;
  readonly onOpenRecord: (address: RecordAddress) => void;
}

/** All fields of a record with their full values, each in the editor for its kind. */
export function RecordFields(props: RecordFieldsProps): JSX.Element {
  const { table, shown, address, readOnlyReason } = props;
  const store = useStaged(table.name);
  const row = { table, shown };
  return (
    <dl className="fields">
      {table.columns.map((column) => (
        <Field
          key={column.name}
          {...props}
          column={column}
          value={shownValue(shown, column.name)}
          disabledReason={readOnlyReason ?? columnDisabledReason(column)}
          saveError={saveErrorAt(store, shown, column.name)}
          onPut={(values) => store.change((staged) => stageShownRow(staged, row, values))}
          onType={(values) =>
            store.type(`${address.id} ${column.name}`, (staged) =>
              stageShownRow(staged, row, values),
            )
          }
        />
      ))}
    </dl>
  );
}

interface SingleFieldProps extends FieldProps {
  readonly saveError: string | undefined;
}

function Field(props: SingleFieldProps): JSX.Element {
  const { column, shown, value, saveError } = props;
  const isChanged = shown.kind === 'stored' && Object.hasOwn(shown.values, column.name);
  return (
    <div className={`f ${isChanged ? 'mod' : ''} ${saveError === undefined ? '' : 'bad'}`}>
      <dt title={`${column.name} ${typeText(column)}`}>
        <Icon name={kindIcon(column)} size="s" />
        <span className="cut">{column.name}</span>
        <span className="ty">
          {typeText(column)}
          {column.is_nullable && '?'}
        </span>
      </dt>
      <dd>
        <FieldEditor {...props} value={value} />
        {saveError !== undefined && (
          <div className="was err" role="alert">
            {saveError}
          </div>
        )}
        {isChanged && <PreviousValue {...props} />}
      </dd>
    </div>
  );
}

/** The stored value of a changed field, with a button that reverts to it. */
function PreviousValue({ column, shown, onPut }: FieldProps): JSX.Element | null {
  if (shown.kind === 'new') return null;
  return (
    <div className="was">
      {texts.was}{' '}
      <s className="cut">
        <CellView value={shown.row[column.name] ?? null} column={column} />
      </s>
      <button
        className="row end"
        aria-label={texts.revertField({ column: column.name })}
        onClick={() => onPut({ [column.name]: undefined })}
      >
        <Icon name="undo" size="s" /> {commonTexts.revert}
      </button>
    </div>
  );
}

const kindIcons: Readonly<Record<string, IconName>> = {
  integer: 'hash',
  decimal: 'hash',
  float: 'hash',
  boolean: 'bool',
  enum: 'list',
  date: 'calendar',
  time: 'clock',
  timestamp: 'calendar',
  json: 'json',
  array: 'json',
  binary: 'image',
};

function kindIcon(column: Column): IconName {
  if (column.is_primary_key) return 'key';
  return column.is_foreign_key ? 'link' : (kindIcons[column.kind] ?? 'text');
}
