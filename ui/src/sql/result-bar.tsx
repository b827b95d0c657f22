import type { JSX } from 'react';
import { saveText } from '../importing/save-text.ts';
import { copyText } from '../parts/copy-text.ts';
import { Icon } from '../parts/icon.tsx';
import { Menu } from '../parts/menu.tsx';
import { formatRows, rowsFormats } from '../rows-text/format-rows.ts';
import type { RowsFormat } from '../rows-text/format-rows.ts';
import { outcomeText } from './run-statement.ts';
import type { SqlAnswer } from './run-statement.ts';

type ReadAnswer = Extract<SqlAnswer, { type: 'read' }>;

/** What came of a statement, and the ways out of the studio. */
export function ResultBar({ answer }: { readonly answer: SqlAnswer }): JSX.Element {
  return (
    <div className="resbar" role="status">
      <span className="ok row">
        <Icon name="done" size="s" />
        {outcomeText(answer)}
      </span>
      <span className="badge">{answer.type}</span>
      {answer.type === 'read' && answer.truncated && (
        <span className="badge mod" title="Add a LIMIT, or export the table instead.">
          more were left out
        </span>
      )}
      <span className="grow" />
      {answer.type === 'read' && <Ways answer={answer} />}
    </div>
  );
}

const endings: Readonly<Record<RowsFormat, readonly [ending: string, type: string]>> = {
  cells: ['tsv', 'text/tab-separated-values'],
  csv: ['csv', 'text/csv'],
  json: ['json', 'application/json'],
  sql: ['sql', 'application/sql'],
  markdown: ['md', 'text/markdown'],
};

function Ways({ answer }: { readonly answer: ReadAnswer }): JSX.Element {
  const write = (format: RowsFormat): string =>
    formatRows(format, {
      path: ['result'],
      columns: answer.columns.map((name) => ({ name })),
      rows: answer.rows,
    });
  const save = (format: RowsFormat): void => {
    const [ending, type] = endings[format];
    saveText({ name: `result.${ending}`, type, text: write(format) });
  };
  return (
    <>
      <Menu
        trigger={
          <button className="btn quiet">
            <Icon name="copy" size="s" /> Copy
          </button>
        }
        items={rowsFormats.map(([format, title]) => ({
          label: `Copy as ${title}`,
          icon: 'copy',
          onChoose: () => void copyText(write(format)),
        }))}
      />
      <Menu
        trigger={
          <button className="btn quiet">
            <Icon name="download" size="s" /> Export
          </button>
        }
        items={rowsFormats.map(([format, title]) => ({
          label: `Export as ${title}`,
          icon: 'download',
          onChoose: () => save(format),
        }))}
      />
    </>
  );
}
