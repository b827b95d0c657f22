import type { JSX } from 'react';
import type { FileHead } from '../file-preview/file-preview.ts';
import { Icon } from '../parts/icon.tsx';
import { isProblem } from './cell-preview.ts';
import type { CellPreview, PreviewCell } from './cell-preview.ts';
import { choose } from './import-store.ts';
import { inOneLine } from './in-one-line.ts';
import type { Mapping } from './suggest-mapping.ts';
import { commonTexts } from '../texts/common.ts';
import { importingTexts as texts } from '../texts/importing.ts';

interface FirstRowsProps {
  readonly title: string;
  readonly head: FileHead;
  readonly mapping: Mapping;
  /** For each column of the file. Undefined for a file with typed values, which are shown as they are. */
  readonly previews?: readonly PreviewCell[] | undefined;
}

/** The first rows of the file as they are imported, under the columns that they are mapped to. */
export function FirstRows({ title, head, mapping, previews }: FirstRowsProps): JSX.Element | null {
  const shownColumns = head.columns.flatMap((name, i) => {
    const column = mapping[name] ?? null;
    return column === null ? [] : [{ column, i, preview: previews?.[i] ?? unchanged }];
  });
  if (shownColumns.length === 0 || head.rows.length === 0) return null;
  const rows = head.rows.map((row, number) =>
    shownColumns.map(({ i, preview }) => preview(row[i] ?? null, head.numbers?.[number]?.[i])),
  );
  return (
    <div className="first-rows">
      <h2 className="t2 small">{title}</h2>
      <Problems rows={rows} columns={shownColumns.map(({ column }) => column)} />
      <div className="first-rows-table" tabIndex={0} role="region" aria-label={title}>
        <table className="plain">
          <thead>
            <tr>
              {shownColumns.map(({ column, i }) => (
                <th key={i} scope="col">
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row, number) => (
              <tr key={number}>
                {row.map((cell, i) => (
                  <td key={i} className="cut first">
                    <CellText cell={cell} />
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

const unchanged: PreviewCell = (text) => ({ text });

function CellText({ cell }: { readonly cell: CellPreview }): JSX.Element {
  const { text, source, error } = cell;
  if (isProblem(cell))
    return (
      <span className="warn" title={error}>
        <FieldText text={text} />
      </span>
    );
  return (
    <>
      {source !== undefined && <span className="t3">{source} → </span>}
      <FieldText text={text} />
    </>
  );
}

function FieldText({ text }: { readonly text: string | null }): JSX.Element {
  if (text === null) return <span className="null">{commonTexts.nullValue}</span>;
  if (text === '') return <span className="empty">{commonTexts.emptyText}</span>;
  return <>{inOneLine(text)}</>;
}

interface ProblemsProps {
  readonly rows: readonly (readonly CellPreview[])[];
  readonly columns: readonly string[];
}

/** The first problem of each column that can be solved, or else the first one. */
function Problems({ rows, columns }: ProblemsProps): JSX.Element {
  const problems = columns.flatMap((column, i) => {
    const cells = rows.flatMap((row) => row[i] ?? []).filter(isProblem);
    // A text that is no value can stand among others that can be converted.
    const cell = cells.find(({ conversion }) => conversion !== undefined) ?? cells[0];
    return cell === undefined ? [] : [{ column, cell }];
  });
  return (
    <>
      {problems.map(({ column, cell }) => (
        <p key={column} className="row warn small">
          <Icon name="warning" size="xs" />
          <span role="status">{problemText(column, cell)}</span>
          <ConvertButton cell={cell} />
        </p>
      ))}
    </>
  );
}

function problemText(column: string, { text, error, conversion }: CellPreview): string {
  if (error !== undefined) return texts.notReadable({ column, reason: error });
  const sentence = texts.storedAsText({ column, text: text ?? '' });
  return conversion === undefined ? `${sentence} ${texts.selectFormat}` : sentence;
}

/** Selects the format that the first rows show. */
function ConvertButton({
  cell: { conversion },
}: {
  readonly cell: CellPreview;
}): JSX.Element | null {
  if (conversion === undefined) return null;
  return (
    <button type="button" className="link" onClick={() => choose(conversion.choices)}>
      {texts.convertTo({ text: conversion.text })}
    </button>
  );
}
