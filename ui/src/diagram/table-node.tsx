import { Link } from '@tanstack/react-router';
import { Handle, Position } from '@xyflow/react';
import type { NodeProps } from '@xyflow/react';
import { memo } from 'react';
import type { JSX } from 'react';
import { printable } from '../../../src/portable/drawing/printable.ts';
import { Icon } from '../parts/icon.tsx';
import { useEmphasis } from './emphasis.ts';
import type { Emphasis } from './emphasis.ts';
import type { TableNodeType } from './flow-elements.ts';
import type { PlacedTable } from './layout-query.ts';
import { diagramTexts as texts } from '../texts/diagram.ts';

/** A table of the diagram. At small zoom only its name, as large as possible. */
export const TableNode = memo(function TableNode({ data }: NodeProps<TableNodeType>): JSX.Element {
  const emphasis = useEmphasis();
  const { table } = data;
  const classes = `node ${table.kind === 'table' ? '' : 'view'} ${emphasisClass(table.name, emphasis)}`;
  if (emphasis.isZoomedOut)
    return (
      <div
        className={`${classes} far`}
        title={table.name}
        style={{ fontSize: zoomedOutFontSize(table) }}
      >
        <span>{printable(table.name)}</span>
        <EdgeEnds />
      </div>
    );
  return (
    <div className={classes}>
      <Head table={table} count={emphasis.counts.get(table.name) ?? ''} />
      <Columns table={table} />
      <EdgeEnds />
    </div>
  );
});

/** The font size in pixels at which the name fits on one line, within limits. */
function zoomedOutFontSize({ name, width }: PlacedTable): number {
  return Math.max(15, Math.min(30, (1.55 * width) / name.length));
}

/** Invisible handles, which xyflow requires at the ends of an edge. */
function EdgeEnds(): JSX.Element {
  return (
    <>
      <Handle type="source" position={Position.Right} isConnectable={false} className="edge-end" />
      <Handle type="target" position={Position.Left} isConnectable={false} className="edge-end" />
    </>
  );
}

function emphasisClass(name: string, { around, neighborhood }: Emphasis): string {
  if (name === around) return 'foc';
  return neighborhood?.has(name) === false ? 'dim' : '';
}

function Head({ table, count }: { readonly table: PlacedTable; readonly count: string }) {
  const { name, kind } = table;
  return (
    <div className="nh">
      <Icon name={kind === 'table' ? 'table' : 'view'} size="xs" />
      <Link
        to="/tables/$table"
        params={{ table: name }}
        className="b cut"
        title={texts.open({ table: name })}
        draggable={false}
      >
        {printable(name)}
      </Link>
      <span className="t3 num end">{count}</span>
    </div>
  );
}

function Columns({ table }: { readonly table: PlacedTable }): JSX.Element | null {
  const { columns, columns_left_out: hiddenColumns } = table;
  if (columns.length === 0) return null;
  return (
    <div className="ncs">
      {columns.map((column) => (
        <ColumnRow key={column.name} column={column} />
      ))}
      {hiddenColumns > 0 && (
        <div className="nc t3">
          <span />
          <span>{texts.moreColumns({ count: hiddenColumns })}</span>
        </div>
      )}
    </div>
  );
}

function ColumnRow({ column }: { readonly column: PlacedTable['columns'][number] }): JSX.Element {
  const { name, type, is_nullable: isNullable, is_primary_key: isKey } = column;
  const icon = isKey ? 'key' : column.is_foreign_key ? 'link' : undefined;
  return (
    <div className="nc" title={`${name} ${type}`}>
      <span className={isKey ? 'pk' : ''}>
        {icon !== undefined && <Icon name={icon} size="xs" />}
      </span>
      <span className={`cut ${isKey ? 'm' : ''}`}>{printable(name)}</span>
      <span className="t3 mono cut">
        {printable(type)}
        {isNullable ? '?' : ''}
      </span>
    </div>
  );
}
