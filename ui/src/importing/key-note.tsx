import type { JSX } from 'react';
import type { Table } from '../api/queries.ts';
import { Icon } from '../parts/icon.tsx';
import type { ImportChoices } from './import-choices.ts';
import type { Mapping } from './suggest-mapping.ts';
import { importingTexts as texts } from '../texts/importing.ts';

interface KeyNoteProps {
  readonly table: Table;
  readonly mapping: Mapping;
  readonly onConflict: ImportChoices['onConflict'];
  /** The columns that identify existing rows. */
  readonly keyColumns: readonly string[];
}

/** Why rows of the file cannot be compared with existing ones, although existing rows are to be skipped or updated. */
export function KeyNote(props: KeyNoteProps): JSX.Element | null {
  const { table, mapping, onConflict, keyColumns } = props;
  if (onConflict === 'error') return null;
  const mappedColumns = new Set(Object.values(mapping));
  const missing = keyColumns.filter((name) => !mappedColumns.has(name));
  if (keyColumns.length > 0 && missing.length === 0) return null;
  const text =
    keyColumns.length === 0
      ? texts.noKey({ table: table.name })
      : texts.keyNotInFile({ columns: missing.join(', ') });
  return (
    <p className="wizard-notice row warn small" role="status">
      <Icon name="warning" size="xs" /> {text}
    </p>
  );
}
