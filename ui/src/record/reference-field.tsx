import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { JSX } from 'react';
import { findTable, referencedQuery, schemaQuery } from '../api/queries.ts';
import { rowId } from '../api/row-key.ts';
import { CellView } from '../cells/cell-view.tsx';
import { cellText } from '../cells/value-kind.ts';
import { ReferencePicker } from '../editing/cell-editor/reference-picker.tsx';
import { rowValuesOf } from '../editing/shown-rows.ts';
import { Icon } from '../parts/icon.tsx';
import { Popover } from '../parts/popover.tsx';
import type { FieldProps } from './field-props.ts';
import { NullButtons } from './null-buttons.tsx';
import { recordTitle } from './record-title.ts';
import { foreignKeyOf, referenceOf } from './reference.ts';
import { recordTexts as texts } from '../texts/record.ts';

/** A foreign key: shows the referenced row, picks another one from a list, and opens its record. */
export function ReferenceField(props: FieldProps): JSX.Element {
  const { table, column, value, disabledReason, onPut } = props;
  const [isOpen, setOpen] = useState(false);
  const target = foreignKeyOf(table, column)?.references.table ?? '';
  const face = (
    <button
      className="row grow reference-face"
      title={disabledReason}
      aria-disabled={disabledReason !== undefined}
    >
      <span className="visually-hidden">
        {texts.chooseRow({ column: column.name, table: target })}
      </span>
      <ReferenceLabel {...props} />
      {disabledReason === undefined && <Icon name="search" size="s" className="end" />}
    </button>
  );
  return (
    <div className="field reference">
      {disabledReason === undefined ? (
        <Popover
          label={texts.rowsOf({ table: target })}
          isOpen={isOpen}
          onOpenChange={setOpen}
          trigger={face}
        >
          <ReferencePicker
            table={table}
            column={column}
            onPick={(values) => {
              setOpen(false);
              onPut(values);
            }}
          />
        </Popover>
      ) : (
        face
      )}
      <NullButtons {...props} />
      {value !== null && value !== undefined && <OpenRecordButton {...props} />}
    </div>
  );
}

function useReferenced({ table, column, shown }: FieldProps) {
  const { data: schema } = useQuery(schemaQuery);
  const reference = referenceOf(table, column, rowValuesOf(shown));
  const target = findTable(schema, reference?.table ?? '');
  const { data: referencedRow } = useQuery({
    ...referencedQuery(reference?.table ?? '', reference?.key ?? {}),
    enabled: reference !== undefined && target !== undefined,
  });
  return { target, referencedRow };
}

function ReferenceLabel(props: FieldProps): JSX.Element {
  const { column, value } = props;
  const { target, referencedRow } = useReferenced(props);
  if (value === null || value === undefined || value === '')
    return <CellView value={value} column={{ ...column, is_foreign_key: false }} />;
  const title =
    target === undefined || !referencedRow ? undefined : recordTitle(target, referencedRow);
  return (
    <>
      <span className="cut" dir="auto">
        {title ?? ''} <span className="t3 num">{cellText(value)}</span>
      </span>
      {referencedRow === null && <span className="badge del">{texts.missingRow}</span>}
    </>
  );
}

/** Opens the referenced record. */
function OpenRecordButton(props: FieldProps): JSX.Element | null {
  const { target, referencedRow } = useReferenced(props);
  const id = target === undefined || !referencedRow ? undefined : rowId(target, referencedRow);
  if (id === undefined || target === undefined) return null;
  return (
    <button
      className="ib sm"
      aria-label={texts.openNamed({ table: target.name, id: decodeURIComponent(id) })}
      title={texts.openRecord}
      onClick={() => props.onOpenRecord({ table: target.name, id })}
    >
      <Icon name="open" size="s" />
    </button>
  );
}
