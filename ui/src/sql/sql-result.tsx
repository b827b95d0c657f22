import { useState } from 'react';
import type { JSX } from 'react';
import type { Cell } from '../../../src/contract/client.ts';
import { NumberToken } from '../../../src/contract/number-token.ts';
import { CellView } from '../cells/cell-view.tsx';
import { cellText } from '../cells/value-kind.ts';
import type { PlainColumn } from '../cells/value-kind.ts';
import { Grid } from '../grid/grid.tsx';
import type { GridColumn } from '../grid/grid-props.ts';
import type { Selection } from '../grid/selection.ts';
import type { SqlAnswer } from './run-statement.ts';

interface SqlResultProps {
  readonly answer: Extract<SqlAnswer, { type: 'read' }>;
}

/** What a statement gave, in the same grid as rows of tables. */
export function SqlResult({ answer }: SqlResultProps): JSX.Element {
  const [selection, setSelection] = useState<Selection>();
  const { columns: names, column_types: types, rows } = answer;
  const columns = names.map((name, i): GridColumn => ({
    name,
    width: widthOf(
      name,
      rows.map((row) => row[name] ?? null),
    ),
    isNumber: rows.length > 0 && rows.every((row) => isNumberOrNull(row[name] ?? null)),
    head: (
      <div className="head-cell">
        <div className="n">
          <span>{name}</span>
        </div>
        <div className="ty">{types[i]}</div>
      </div>
    ),
  }));
  return (
    <Grid
      label="Result"
      columns={columns}
      rowCount={rows.length}
      firstRow={1}
      totalRows={rows.length}
      selection={selection}
      onSelect={setSelection}
      renderCell={({ row, column }) => {
        const value = rows[row]?.[names[column] ?? ''] ?? null;
        return <CellView value={value} column={plainColumn(value)} />;
      }}
    />
  );
}

function isNumberOrNull(value: Cell): boolean {
  return value === null || typeof value === 'number' || value instanceof NumberToken;
}

/** A result's columns have no types of the studio's own: each value tells what it is. */
function plainColumn(value: Cell): PlainColumn {
  const isJson = typeof value === 'object' && value !== null && !(value instanceof NumberToken);
  return {
    kind: isJson ? 'json' : isNumberOrNull(value) ? 'decimal' : 'text',
    is_foreign_key: false,
  };
}

const letterWidth = 7.4;

function widthOf(name: string, values: readonly Cell[]): number {
  const longest = Math.max(...values.slice(0, 100).map((value) => cellText(value).length), 4);
  return Math.ceil(Math.min(420, Math.max(name.length * 7 + 30, longest * letterWidth + 22, 80)));
}
