import { useState } from 'react';
import type { JSX } from 'react';
import type { RowError } from './row-errors.ts';
import { useErrorLines } from './use-error-lines.ts';
import { importingTexts as texts } from '../texts/importing.ts';
import { commonTexts } from '../texts/common.ts';

/** Lists the errors of rows. A click on a column shows only the errors of that column. */
export function ErrorTable({ errors }: { readonly errors: readonly RowError[] }): JSX.Element {
  const [selectedColumn, setSelectedColumn] = useState<string>();
  const groups = Map.groupBy(errors, ({ column }) => column ?? texts.wholeRow);
  const shown = groups.get(selectedColumn ?? '') ?? errors;
  const lines = useErrorLines(errors);
  const titles = [texts.row, texts.line, commonTexts.table, commonTexts.column, texts.reason];
  return (
    <>
      {groups.size > 1 && (
        <div className="options chips" role="group" aria-label={texts.errorsByColumn}>
          <Chip
            title={texts.allErrors}
            count={errors.length}
            isOn={shown === errors}
            onChoose={() => setSelectedColumn(undefined)}
          />
          {[...groups].map(([column, found]) => (
            <Chip
              key={column}
              title={column}
              count={found.length}
              isOn={selectedColumn === column}
              onChoose={() => setSelectedColumn(column)}
            />
          ))}
        </div>
      )}
      <table className="plain errors">
        <thead>
          <tr>
            {[...titles, ...(lines.size === 0 ? [] : [texts.inFile])].map((title) => (
              <th key={title} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map((error, i) => (
            <tr key={i}>
              <td className="num">{error.row}</td>
              <td className="num t2">{error.line}</td>
              <td className="t2">{error.table}</td>
              <td className="m">{error.column}</td>
              <td className="why">{error.message}</td>
              {lines.size > 0 && <td className="t2 cut line">{lines.get(error.line ?? 0)}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

interface ChipProps {
  readonly title: string;
  readonly count: number;
  readonly isOn: boolean;
  readonly onChoose: () => void;
}

function Chip({ title, count, isOn, onChoose }: ChipProps): JSX.Element {
  return (
    <button className="fchip" aria-pressed={isOn} onClick={onChoose}>
      <span className={isOn ? 'val' : ''}>{title}</span>
      <span className="op num">{count}</span>
    </button>
  );
}
