import type { CSSProperties, JSX } from 'react';
import type { Cell } from '../../../src/contract/client/client.ts';
import { Icon } from '../parts/icon.tsx';
import { sizeText } from '../parts/size-text.ts';
import { imageTypeOf } from './image-type.ts';
import { isRequired } from './empty-value-label.ts';
import {
  base64Of,
  cellText,
  truncatedValueOf,
  isDateOrTimeColumn,
  isNumberColumn,
} from './value-kind.ts';
import type { PlainColumn } from './value-kind.ts';
import { commonTexts as texts } from '../texts/common.ts';

interface CellViewProps {
  readonly value: Cell | undefined;
  readonly column: PlainColumn;
  /** The title of the row that a foreign key references. */
  readonly label?: Cell | undefined;
}

/** Renders a value in a cell. NULL, the empty string and each type look different. */
export function CellView({ value, column, label }: CellViewProps): JSX.Element {
  if (value === undefined)
    return isRequired(column) ? (
      <span className="dflt required">{texts.requiredValue}</span>
    ) : (
      <span className="dflt">{texts.defaultValue}</span>
    );
  if (value === null) return <span className="null">{texts.nullValue}</span>;
  if (value === '') return <span className="empty">{texts.emptyText}</span>;
  const truncated = truncatedValueOf(value);
  if (truncated !== undefined)
    return <TruncatedView head={truncated.head} bytes={truncated.bytes} />;
  const base64 = base64Of(value);
  if (base64 !== undefined) return <BlobView base64={base64} />;
  if (column.is_foreign_key) return <ForeignKeyView value={value} label={label} />;
  return <PlainView value={value} column={column} />;
}

/** Unsaved texts are not cut by the server. Laying out one of a megabyte on one line takes seconds. */
const maxTextLength = 2000;

function PlainView({
  value,
  column,
}: {
  readonly value: Cell;
  readonly column: PlainColumn;
}): JSX.Element {
  if (typeof value === 'boolean') return <BooleanView value={value} />;
  if (column.kind === 'json' || column.kind === 'array') return <JsonView value={value} />;
  const text = cellText(value);
  if (text.length > maxTextLength)
    return <TruncatedView head={text} bytes={new Blob([text]).size} />;
  if (column.enum_values !== undefined) return <EnumView text={text} values={column.enum_values} />;
  if (isDateOrTimeColumn(column)) return <MomentView text={text} />;
  return (
    <span className={isNumberColumn(column) ? 'num v' : 'v'} dir="auto">
      {text}
    </span>
  );
}

function TruncatedView({
  head,
  bytes,
}: {
  readonly head: string;
  readonly bytes: number;
}): JSX.Element {
  return (
    <>
      <span className="v" dir="auto">
        {head.slice(0, 200).toWellFormed()}…
      </span>
      <span className="len">{sizeText(bytes)}</span>
    </>
  );
}

function BlobView({ base64 }: { readonly base64: string }): JSX.Element {
  const type = imageTypeOf(base64);
  const padding = base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0;
  return (
    <>
      <span className="thumb">
        {type === undefined ? (
          <Icon name="file" size="xs" />
        ) : (
          <img src={`data:${type};base64,${base64}`} alt="" />
        )}
      </span>
      <span className="size">{sizeText((base64.length / 4) * 3 - padding)}</span>
    </>
  );
}

interface ForeignKeyViewProps {
  readonly value: Cell;
  readonly label?: Cell | undefined;
}

function ForeignKeyView({ value, label }: ForeignKeyViewProps): JSX.Element {
  return (
    <span className="fk">
      <span className="k">{cellText(value)}</span>
      {label !== undefined && label !== null && (
        <span className="l" dir="auto">
          {cellText(label)}
        </span>
      )}
    </span>
  );
}

function BooleanView({ value }: { readonly value: boolean }): JSX.Element {
  return (
    <span className={`bool ${String(value)}`}>
      <span className="bx">
        <Icon name="check" />
      </span>
      {String(value)}
    </span>
  );
}

/** More than a cell of any width shows. */
const maxJsonLength = 400;

/** A JSON document on one line. */
function JsonView({ value }: { readonly value: Cell }): JSX.Element {
  return (
    <span className="json v" dir="auto">
      {cellText(value).slice(0, maxJsonLength)}
    </span>
  );
}

const categoryCount = 6;

function EnumView({
  text,
  values,
}: {
  readonly text: string;
  readonly values: readonly string[];
}): JSX.Element {
  const index = values.indexOf(text);
  const dot = index < 0 ? undefined : `var(--cat-${(index % categoryCount) + 1})`;
  return (
    <span className="enum" style={{ '--dot': dot } as CSSProperties}>
      {text}
    </span>
  );
}

/** Date, time and zone, in decreasing contrast, with each character as stored. */
function MomentView({ text }: { readonly text: string }): JSX.Element {
  const match =
    /^(\d{4}-\d{2}-\d{2})(?:([T ])(\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?))?( ?(?:Z|[+-]\d{2}(?::?\d{2})?))?$/.exec(
      text,
    );
  if (match === null) return <span className="dt v">{text}</span>;
  const [, date, separator, time, zone] = match;
  return (
    <span className="dt v">
      {date}
      {time !== undefined && <span className="tm">{`${separator}${time}`}</span>}
      {zone !== undefined && <span className="tz">{zone}</span>}
    </span>
  );
}
