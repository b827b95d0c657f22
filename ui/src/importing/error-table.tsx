import { useState } from 'react';
import type { JSX } from 'react';
import type { FileErrors, RowError } from './row-errors.ts';
import { inOneLine } from './in-one-line.ts';
import { useErrorLines } from './use-error-lines.ts';
import { importingTexts as texts } from '../texts/importing.ts';
import { commonTexts } from '../texts/common.ts';

/** Lists the first errors of rows. A click on a column shows only the errors of that column. */
export function ErrorTable({ errors }: { readonly errors: FileErrors }): JSX.Element {
  const { first, count, byColumn } = errors;
  const [selected, setSelected] = useState<ColumnChoice>();
  const shownErrors =
    selected === undefined ? first : first.filter(({ column }) => column === selected.column);
  const totalCount = selected === undefined ? count : (byColumn.get(selected.column) ?? 0);
  return (
    <>
      {byColumn.size > 1 && (
        <div className="options chips" role="group" aria-label={texts.errorsByColumn}>
          <Chip
            title={texts.allErrors}
            count={count}
            isOn={selected === undefined}
            onChoose={() => setSelected(undefined)}
          />
          {[...byColumn].map(([column, columnCount]) => (
            <Chip
              key={column ?? ''}
              title={column ?? texts.wholeRow}
              count={columnCount}
              isOn={selected !== undefined && selected.column === column}
              onChoose={() => setSelected({ column })}
            />
          ))}
        </div>
      )}
      {shownErrors.length < totalCount && (
        <p className="wizard-notice t2">
          {texts.firstErrors({ shown: shownErrors.length, total: totalCount })}
        </p>
      )}
      <ErrorLines errors={shownErrors} />
    </>
  );
}

interface ColumnChoice {
  /** Undefined for errors of the whole row. */
  readonly column: string | undefined;
}

function ErrorLines({ errors }: { readonly errors: readonly RowError[] }): JSX.Element {
  const lines = useErrorLines(errors);
  const hasValues = errors.some(({ value }) => value !== undefined);
  const hasSources = errors.some(({ source }) => source !== undefined);
  const titles = [
    ...(hasSources ? [texts.part] : []),
    texts.row,
    texts.line,
    commonTexts.table,
    commonTexts.column,
    ...(hasValues ? [texts.value] : []),
    texts.reason,
    ...(lines.size === 0 ? [] : [texts.inFile]),
  ];
  return (
    <table className="plain errors">
      <thead>
        <tr>
          {titles.map((title) => (
            <th key={title} scope="col">
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {errors.map((error, i) => (
          <tr key={i}>
            {hasSources && <td className="t2">{error.source}</td>}
            <td className="num at-row" data-title={texts.row}>
              {error.row}
            </td>
            <td className="num t2 at-line" data-title={texts.line}>
              {error.line}
            </td>
            <td className="t2">{error.table}</td>
            <td className="m">{error.column}</td>
            {hasValues && (
              <td className="cut line">
                <RejectedValue value={error.value} />
              </td>
            )}
            <td className="why">{error.message}</td>
            {lines.size > 0 && <td className="t2 cut line">{lines.get(error.line ?? 0)}</td>}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function RejectedValue({ value }: Pick<RowError, 'value'>): JSX.Element | null {
  if (value === undefined) return null;
  if (value === null) return <span className="null">{commonTexts.nullValue}</span>;
  return value === '' ? (
    <span className="empty">{commonTexts.emptyText}</span>
  ) : (
    <>{inOneLine(value)}</>
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
      <span className="op num">{count.toLocaleString('en')}</span>
    </button>
  );
}
