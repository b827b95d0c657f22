import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useDeferredValue, useEffect, useId, useState } from 'react';
import type { JSX, KeyboardEvent } from 'react';
import { candidatesQuery, findTable, schemaQuery } from '../../api/queries.ts';
import type { Column, Row, Table } from '../../api/queries.ts';
import { rowId } from '../../api/row-key.ts';
import { cellText, truncatedValueOf, isNumberColumn } from '../../cells/value-kind.ts';
import { messageOf } from '../../parts/error-notice.tsx';
import { focusOnMount } from '../../parts/focus-on-mount.ts';
import { recordTitle } from '../../record/record-title.ts';
import { foreignKeyOf, referencingValues } from '../../record/reference.ts';
import type { Values } from '../staged.ts';
import { editingTexts as texts } from '../../texts/editing.ts';
import { commonTexts } from '../../texts/common.ts';

type ForeignKey = Table['foreign_keys'][number];

interface ReferencePickerProps {
  readonly table: Table;
  readonly column: Column;
  /** The character that opened the picker. */
  readonly typed?: string | undefined;
  /** Receives the values of all columns of the foreign key. */
  readonly onPick: (values: Values) => void;
  /** Called for Enter while no row is selected. */
  readonly onLeave?: (() => void) | undefined;
  /** Called for Enter with a text that no row contains, if the key could have it as its value. */
  readonly onMissing?: ((text: string) => void) | undefined;
  /** Whether the search field takes the focus. The default is true. */
  readonly takesFocus?: boolean;
}

/** Searches the rows that a foreign key can reference. Scrolling to the end loads more of them. */
export function ReferencePicker(props: ReferencePickerProps): JSX.Element | null {
  const { table, column } = props;
  const { data: schema } = useQuery(schemaQuery);
  const key = foreignKeyOf(table, column);
  const target = findTable(schema, key?.references.table ?? '');
  if (key === undefined || target === undefined) return null;
  return <Candidates {...props} target={target} foreignKey={key} />;
}

interface CandidatesProps extends ReferencePickerProps {
  readonly target: Table;
  readonly foreignKey: ForeignKey;
}

/** What is typed, which row is selected, and when it is picked. */
function usePicking(props: CandidatesProps) {
  const { foreignKey, target, typed = '', onPick, onLeave, onMissing } = props;
  const [searchText, setSearchText] = useState(typed);
  // Before anything is typed, no row is selected: Enter changes nothing.
  const [selectedIndex, setSelectedIndex] = useState(typed === '' ? -1 : 0);
  const [picksWhenFound, setPicksWhenFound] = useState(false);
  const foundText = useDeferredValue(searchText.trim());
  const found = useCandidates(props, foundText);
  // The rows of an earlier text stay in the list until those of the typed text arrive.
  const isCurrent = found.isCurrent && foundText === searchText.trim();
  const current = Math.min(selectedIndex, found.rows.length - 1);
  const pick = (row: Row | undefined): void => {
    if (row !== undefined) onPick(referencingValues(foreignKey, row));
    else if (canBeKey(target, foreignKey, foundText)) onMissing?.(foundText);
  };
  useEffect(() => {
    if (!picksWhenFound || !isCurrent) return;
    setPicksWhenFound(false);
    pick(found.rows[current]);
  });
  const pressKey = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      setSelectedIndex(Math.max(0, Math.min(found.rows.length - 1, current + step)));
      setPicksWhenFound(false);
      if (current + step >= found.rows.length - 1) found.more();
    }
    if (event.key === 'Enter') {
      event.preventDefault();
      event.stopPropagation();
      if (selectedIndex < 0) onLeave?.();
      else if (isCurrent) pick(found.rows[current]);
      else setPicksWhenFound(true);
    }
  };
  const search = (text: string): void => {
    setSearchText(text);
    setSelectedIndex(text === '' ? -1 : 0);
    setPicksWhenFound(false);
  };
  return { searchText, search, found, current, pick, pressKey };
}

function Candidates(props: CandidatesProps): JSX.Element {
  const { target, foreignKey, column, takesFocus = true } = props;
  const listId = useId();
  const { searchText, search, found, current, pick, pressKey } = usePicking(props);
  return (
    <div className="picker">
      <input
        ref={takesFocus ? focusOnMount : undefined}
        role="combobox"
        aria-expanded="true"
        aria-controls={listId}
        aria-activedescendant={current < 0 ? undefined : `${listId}-${current}`}
        aria-label={column.name}
        placeholder={texts.searchTable({ table: target.name })}
        value={searchText}
        onChange={(event) => search(event.target.value)}
        onKeyDown={pressKey}
      />
      <CandidateList {...{ listId, target, foreignKey, found, current }} onPick={pick} />
      <p className="picker-status t3" role="status">
        {found.statusText}
      </p>
    </div>
  );
}

interface CandidateListProps extends Pick<CandidatesProps, 'target' | 'foreignKey'> {
  readonly listId: string;
  readonly found: CandidateSearch;
  readonly current: number;
  readonly onPick: (row: Row) => void;
}

function CandidateList(props: CandidateListProps): JSX.Element {
  const { listId, target, foreignKey, found, current, onPick } = props;
  return (
    <div
      className="picker-list menu"
      id={listId}
      role="listbox"
      aria-label={target.name}
      onScroll={({ currentTarget: { scrollTop, clientHeight, scrollHeight } }) => {
        if (scrollTop + 2 * clientHeight > scrollHeight) found.more();
      }}
    >
      {found.rows.map((row, i) => (
        <Candidate
          key={rowId(target, row) ?? i}
          id={`${listId}-${i}`}
          target={target}
          keyColumns={foreignKey.references.columns}
          row={row}
          isCurrent={i === current}
          onPick={() => onPick(row)}
        />
      ))}
    </div>
  );
}

interface CandidateSearch {
  readonly rows: readonly Row[];
  /** Whether the rows are those of the text, not of an earlier one. */
  readonly isCurrent: boolean;
  readonly statusText: string;
  readonly more: () => void;
}

/** Finds the row with the typed key, then the rows that contain the text. */
function useCandidates(
  { target, foreignKey }: CandidatesProps,
  searchText: string,
): CandidateSearch {
  const [only] = foreignKey.references.columns;
  const isKey = canBeKey(target, foreignKey, searchText);
  const byKey = useInfiniteQuery({
    ...candidatesQuery(target.name, { key: { [only ?? '']: searchText } }),
    enabled: isKey,
  });
  const byText = useInfiniteQuery(candidatesQuery(target.name, { search: searchText }));
  const first = isKey ? (byKey.data?.pages[0]?.data ?? []) : [];
  const ids = new Set(first.map((row) => rowId(target, row)));
  const rowsByText = (byText.data?.pages ?? [])
    .flatMap(({ data }) => data)
    .filter((row) => !ids.has(rowId(target, row)));
  const rows = [...first, ...rowsByText];
  const total = byText.data?.pages[0]?.total;
  const isAwaited = (query: typeof byText): boolean => query.isPlaceholderData || query.isPending;
  return {
    rows,
    isCurrent: !isAwaited(byText) && !(isKey && isAwaited(byKey)),
    statusText: statusTextOf(byText.error, rows.length, total),
    more: () => {
      if (byText.hasNextPage && !byText.isFetchingNextPage) void byText.fetchNextPage();
    },
  };
}

function statusTextOf(
  error: unknown,
  shownCount: number,
  total: number | null | undefined,
): string {
  if (error !== null) return messageOf(error);
  if (total === undefined) return commonTexts.searching;
  if (shownCount === 0) return texts.noMatchingRows;
  return texts.shownOfTotal({
    shown: shownCount.toLocaleString('en'),
    total: Math.max(total ?? 0, shownCount).toLocaleString('en'),
  });
}

/** Whether a text can be the whole key of a row. */
function canBeKey(target: Table, { references }: ForeignKey, text: string): boolean {
  const [only] = references.columns;
  return references.columns.length === 1 && only !== undefined && canHold(target, only, text);
}

function canHold(target: Table, name: string, text: string): boolean {
  const column = target.columns.find((other) => other.name === name);
  if (column === undefined || text === '') return false;
  return isNumberColumn(column) ? /^-?\d+(\.\d+)?$/.test(text) : column.kind === 'text';
}

interface CandidateProps {
  readonly id: string;
  readonly target: Table;
  readonly keyColumns: readonly string[];
  readonly row: Row;
  readonly isCurrent: boolean;
  readonly onPick: () => void;
}

function Candidate(props: CandidateProps): JSX.Element {
  const { id, target, keyColumns, row, isCurrent, onPick } = props;
  const key = keyColumns.map((name) => cellText(row[name] ?? null)).join(', ');
  const title = recordTitle(target, row);
  return (
    <div
      id={id}
      ref={isCurrent ? keepInView : undefined}
      className="mi candidate"
      role="option"
      aria-selected={isCurrent}
      // The search field keeps the focus, because the editor closes when it loses the focus.
      onPointerDown={(event) => event.preventDefault()}
      onClick={onPick}
    >
      <span className="grow candidate-text">
        <span className="cut" dir="auto">
          {title ?? key}
        </span>
        <small className="cut t3" dir="auto">
          {secondaryText(target, row, title)}
        </small>
      </span>
      <span className="end num">{key}</span>
    </div>
  );
}

function keepInView(element: HTMLElement | null): void {
  element?.scrollIntoView({ block: 'nearest' });
}

const maxSecondaryTexts = 2;

/** Returns a few more texts of the row, to distinguish rows with the same title. */
function secondaryText(table: Table, row: Row, title: string | undefined): string {
  return table.columns
    .filter(({ kind }) => kind === 'text' || kind === 'enum')
    .map(({ name }) => row[name] ?? null)
    .filter((value) => value !== null && truncatedValueOf(value) === undefined)
    .map(cellText)
    .filter((text) => text !== '' && text !== title && text.length < 80)
    .slice(0, maxSecondaryTexts)
    .join(', ');
}
