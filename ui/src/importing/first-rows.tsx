import type { JSX } from 'react';
import type { FileHead } from '../file-preview/file-preview.ts';
import type { Mapping } from './suggest-mapping.ts';
import { commonTexts as texts } from '../texts/common.ts';

interface FirstRowsProps {
  readonly title: string;
  readonly head: FileHead;
  readonly mapping: Mapping;
}

/** The first rows of the file, under the columns that they are mapped to. */
export function FirstRows({ title, head, mapping }: FirstRowsProps): JSX.Element | null {
  const shown = head.columns.flatMap((name, i) => {
    const column = mapping[name] ?? null;
    return column === null ? [] : [{ column, i }];
  });
  if (shown.length === 0 || head.rows.length === 0) return null;
  return (
    <div className="first-rows">
      <h2 className="t2 small">{title}</h2>
      <div className="first-rows-table" tabIndex={0} role="region" aria-label={title}>
        <table className="plain">
          <thead>
            <tr>
              {shown.map(({ column, i }) => (
                <th key={i} scope="col">
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {head.rows.map((row, number) => (
              <tr key={number}>
                {shown.map(({ i }) => (
                  <td key={i} className="cut first">
                    <FieldText text={row[i] ?? null} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  );
}

function FieldText({ text }: { readonly text: string | null }): JSX.Element {
  if (text === null) return <span className="null">{texts.nullValue}</span>;
  if (text === '') return <span className="empty">{texts.emptyText}</span>;
  return <>{text}</>;
}
