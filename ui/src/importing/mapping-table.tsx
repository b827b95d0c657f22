import type { JSX } from 'react';
import type { Column, Table } from '../api/queries.ts';
import type { FileHead } from '../file-preview/file-preview.ts';
import { Icon } from '../parts/icon.tsx';
import { choose } from './import-store.ts';
import { inOneLine } from './in-one-line.ts';
import type { Mapping } from './suggest-mapping.ts';
import { importingTexts as texts } from '../texts/importing.ts';
import { commonTexts } from '../texts/common.ts';

interface MappingTableProps {
  readonly head: FileHead;
  readonly table: Table;
  readonly mapping: Mapping;
  /** The columns that identify existing rows. */
  readonly keyColumns: readonly string[];
}

/** Maps each column of the file to a column of the table. */
export function MappingTable(props: MappingTableProps): JSX.Element {
  const { head, table, mapping, keyColumns } = props;
  const mappedColumns = new Set(Object.values(mapping));
  const unmapped = table.columns.filter(
    ({ name, is_generated }) => !mappedColumns.has(name) && !is_generated,
  );
  return (
    <div className="wizard-body" tabIndex={0} role="region" aria-label={commonTexts.columns}>
      <table className="plain mapping">
        <thead>
          <tr>
            <th scope="col">{texts.fileColumn}</th>
            <th scope="col">{texts.firstRow}</th>
            <th scope="col" aria-label={texts.mappedTo} />
            <th scope="col">{texts.tableColumn}</th>
            <th scope="col">{commonTexts.type}</th>
            <th scope="col" aria-label={texts.note} />
          </tr>
        </thead>
        <tbody>
          {head.columns.map((name, i) => (
            <MappingLine
              key={`${i} ${name}`}
              name={name}
              first={head.rows[0]?.[i] ?? null}
              table={table}
              mapping={mapping}
              keyColumns={keyColumns}
            />
          ))}
          {unmapped.length > 0 && <UnmappedColumns columns={unmapped} />}
        </tbody>
      </table>
    </div>
  );
}

interface MappingLineProps extends Omit<MappingTableProps, 'head'> {
  readonly name: string;
  readonly first: string | null;
}

function MappingLine({ first, ...line }: MappingLineProps): JSX.Element {
  const { name, table, mapping } = line;
  const target = mapping[name] ?? '';
  const column = table.columns.find((other) => other.name === target);
  return (
    <tr>
      <td className="m">{name}</td>
      <td className="t2 cut first">
        {first === null ? <span className="null">{commonTexts.nullValue}</span> : inOneLine(first)}
      </td>
      <td className="t3">{column !== undefined && <Icon name="arrow-right" size="s" />}</td>
      <td>
        <span className="field select">
          <select
            className={`bare ${column === undefined ? 't3' : ''}`}
            aria-label={texts.columnFor({ name })}
            value={target}
            onChange={(event) =>
              choose({ mapping: { ...mapping, [name]: selectedColumn(event.target) } })
            }
          >
            <option value="">{texts.skipColumn}</option>
            {table.columns
              .filter((other) => !other.is_generated)
              .map((other) => (
                <option key={other.name} value={other.name}>
                  {other.name}
                </option>
              ))}
          </select>
        </span>
      </td>
      <td className="mono t3">{column !== undefined && typeText(column)}</td>
      <td className="small">
        <MappingNote {...line} column={column} />
      </td>
    </tr>
  );
}

function selectedColumn({ value }: { readonly value: string }): string | null {
  return value === '' ? null : value;
}

function typeText({ type, is_nullable }: Column): string {
  return is_nullable ? `${type}?` : type;
}

interface MappingNoteProps extends Omit<MappingLineProps, 'first'> {
  readonly column: Column | undefined;
}

function MappingNote(props: MappingNoteProps): JSX.Element | null {
  const { name, column, table, mapping, keyColumns } = props;
  if (column === undefined) {
    const isComputed = table.columns.some((other) => other.name === name && other.is_generated);
    return isComputed ? (
      <span className="t2">{texts.generated}</span>
    ) : (
      <Warning text={texts.notImported} />
    );
  }
  const isMappedTwice = Object.entries(mapping).some(
    ([other, target]) => other !== name && target === column.name,
  );
  if (isMappedTwice) return <Warning text={texts.mappedTwice} />;
  if (!keyColumns.includes(column.name)) return null;
  return (
    <span className="row t2">
      <Icon name="key" size="xs" /> {texts.identifies}
    </span>
  );
}

function Warning({ text }: { readonly text: string }): JSX.Element {
  return (
    <span className="row warn">
      <Icon name="warning" size="xs" /> {text}
    </span>
  );
}

function UnmappedColumns({ columns }: { readonly columns: readonly Column[] }): JSX.Element {
  const required = columns.filter(
    (column) => !column.is_nullable && column.default_value === '' && !column.is_auto_increment,
  );
  return (
    <tr>
      <td className="t3">{texts.notInFile}</td>
      <td />
      <td />
      <td className="mono t2 names">{columns.map(({ name }) => name).join(' ')}</td>
      <td />
      <td className="small t2">
        {required.length === 0 ? (
          texts.useDefaults
        ) : (
          <Warning
            text={texts.noDefault({ columns: required.map(({ name }) => name).join(', ') })}
          />
        )}
      </td>
    </tr>
  );
}
