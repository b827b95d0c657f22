import { useState } from 'react';
import type { JSX } from 'react';
import type { Cell } from '../../../src/contract/client/client.ts';
import { NumberToken } from '../../../src/contract/number-token.ts';
import { CellView } from '../cells/cell-view.tsx';
import { phoneCellPadding, textWidth } from '../cells/text-width.ts';
import { cellText } from '../cells/value-kind.ts';
import type { PlainColumn } from '../cells/value-kind.ts';
import { ownValue } from '../cells/own-value.ts';
import { Grid } from '../grid/grid.tsx';
import type { GridColumn, Point } from '../grid/grid-props.ts';
import { selectedText } from '../grid/selected-text.ts';
import { blockOf, isWithin, selectCell } from '../grid/selection.ts';
import type { Block, Selection } from '../grid/selection.ts';
import { copyText } from '../parts/copy-text.ts';
import { MenuAt } from '../parts/menu.tsx';
import { formatRows, rowsFormats } from '../rows-text/format-rows.ts';
import type { RowsFormat } from '../rows-text/format-rows.ts';
import type { RowsResponse } from './run-statement.ts';
import { sqlTexts as texts } from '../texts/sql.ts';
import { commonTexts } from '../texts/common.ts';

interface SqlResultProps {
  readonly response: RowsResponse;
  readonly driver: string | undefined;
}

/** The result of a statement, in the same grid as rows of tables. */
export function SqlResult({ response, driver }: SqlResultProps): JSX.Element {
  const [selection, setSelection] = useState<Selection>();
  const [widths, setWidths] = useState<Readonly<Record<string, number>>>({});
  const [menu, setMenu] = useState<{ readonly at: Point; readonly block: Block }>();
  const { columns: names, rows } = response;
  const columns = resultColumns(response, widths);
  const copy = (block: Block, format: RowsFormat): void =>
    void copyText(blockText(response, block, { format, driver }));
  return (
    <>
      <Grid
        label={texts.result}
        columns={columns}
        rowCount={rows.length}
        firstRow={1}
        totalRows={rows.length}
        selection={selection}
        onSelect={setSelection}
        onResize={(name, width) => setWidths({ ...widths, [name]: width })}
        onKey={(event, selected) => {
          if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 'c') return;
          event.preventDefault();
          copy(blockOf(selected), 'cells');
        }}
        onMenu={(position, at) => {
          const selected = isWithin(selection, position) ? selection : selectCell(position);
          setSelection(selected);
          setMenu({ at, block: blockOf(selected) });
        }}
        renderCell={({ row, column }) => {
          const value = rows[row]?.[names[column] ?? ''] ?? null;
          return <CellView value={value} column={plainColumn(value)} />;
        }}
      />
      <footer className="status">
        <span>
          {selectedText(
            selection,
            columns.map(withoutKeys),
            (row, name) => rows[row]?.[name] ?? null,
          )}
        </span>
      </footer>
      {menu !== undefined && (
        <MenuAt
          label={texts.cell}
          at={menu.at}
          items={copyFormats.map(([format, label]) => ({
            label,
            icon: 'copy',
            onChoose: () => copy(menu.block, format),
          }))}
          onClose={() => setMenu(undefined)}
        />
      )}
    </>
  );
}

const copyFormats: readonly (readonly [RowsFormat, string])[] = [
  ['cells', commonTexts.copy],
  ...rowsFormats.map(([format, title]) => [format, commonTexts.copyAs({ format: title })] as const),
];

function resultColumns(
  { columns: names, column_types: types, rows }: RowsResponse,
  widths: Readonly<Record<string, number>>,
): readonly GridColumn[] {
  return names.map((name, i) => {
    const values = rows.map((row) => row[name] ?? null);
    const isNumber = rows.length > 0 && areNumbers(values, types[i] ?? '');
    return {
      name,
      width: ownValue(widths, name) ?? widthOf(name, values, isNumber),
      isNumber,
      head: (
        <div className="head-cell">
          <div className="n">
            <span>{name}</span>
          </div>
          <div className="ty">{types[i]}</div>
        </div>
      ),
    };
  });
}

interface CopyOptions {
  readonly format: RowsFormat;
  readonly driver: string | undefined;
}

function blockText({ columns, rows }: RowsResponse, block: Block, { format, driver }: CopyOptions) {
  return formatRows(format, {
    path: ['result'],
    columns: columns.slice(block.left, block.right + 1).map((name) => ({ name })),
    rows: rows.slice(block.top, block.bottom + 1),
    driver,
  });
}

/** A result column has no keys, so the text of the selection adds its numbers up. */
function withoutKeys({ name, isNumber }: GridColumn) {
  const kind = isNumber === true ? 'decimal' : 'text';
  return { name, kind, is_primary_key: false, is_foreign_key: false };
}

const numericType = /int|serial|numeric|decimal|number|real|double|float|money|oid/i;
const digits = /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i;

/** Numbers that a JSON number would round arrive as the text of their digits. */
function areNumbers(values: readonly Cell[], type: string): boolean {
  const isNumeric = numericType.test(type);
  return values.every(
    (value) =>
      isNumberOrNull(value) || (isNumeric && typeof value === 'string' && digits.test(value)),
  );
}

function isNumberOrNull(value: Cell): boolean {
  return value === null || typeof value === 'number' || value instanceof NumberToken;
}

/** Result columns have no neutral types, so each value determines how it is shown. */
function plainColumn(value: Cell): PlainColumn {
  const isJson = typeof value === 'object' && value !== null && !(value instanceof NumberToken);
  return {
    kind: isJson ? 'json' : isNumberOrNull(value) ? 'decimal' : 'text',
    is_foreign_key: false,
  };
}

const maxWidth = 420;

/** Numbers are never cut. */
function widthOf(name: string, values: readonly Cell[], isNumber: boolean): number {
  const measured = isNumber ? values : values.slice(0, 100);
  const widest = measured.reduce<number>(
    (width, value) => Math.max(width, textWidth(cellText(value))),
    0,
  );
  const content = widest + phoneCellPadding;
  return Math.ceil(
    Math.max(name.length * 7 + 30, isNumber ? content : Math.min(maxWidth, content), 80),
  );
}
