import { useState } from 'react';
import type { JSX } from 'react';
import { Icon } from '../parts/icon.tsx';
import { allRows, pageSizes } from './view-state.ts';
import type { ViewState } from './view-state.ts';
import type { ChangeView } from './use-view.ts';

interface StatusBarProps {
  readonly view: ViewState;
  readonly change: ChangeView;
  readonly total: number | null | undefined;
  readonly isExact: boolean;
  readonly durationMs: number | undefined;
  /** Pages are row offsets, because no key can mark where the next page starts. Inserts and deletes of other clients shift them. */
  readonly isPagedByPosition: boolean;
  /** Why titles of referenced rows are missing, by foreign key column. */
  readonly labelErrors: Readonly<Record<string, string>> | undefined;
  /** A short description of the selection. */
  readonly selected: string;
}

/** The status bar: the number of rows, the query time, the selection and the pager. */
export function StatusBar(props: StatusBarProps): JSX.Element {
  const { view, change, total, isExact, durationMs, isPagedByPosition, labelErrors, selected } =
    props;
  return (
    <footer className="status">
      <span>
        <b>
          {total === undefined || total === null
            ? '…'
            : `${isExact ? '' : '~'}${total.toLocaleString('en')}`}
        </b>{' '}
        {total === 1 ? 'row' : 'rows'}
      </span>
      {durationMs !== undefined && (
        <span className="t3 duration">{Math.max(1, Math.round(durationMs))} ms</span>
      )}
      {isPagedByPosition && (
        <span
          className="t3 wide"
          title="No key identifies these rows, and their values cannot be compared exactly. When other clients insert or delete rows, a row can be skipped or shown twice."
        >
          Paged by position
        </span>
      )}
      {labelErrors !== undefined && (
        <span
          className="t3 wide"
          title={Object.entries(labelErrors)
            .map(([column, reason]) => `${column}: ${reason}`)
            .join('\n')}
        >
          Labels of {Object.keys(labelErrors).join(', ')} missing
        </span>
      )}
      {selected !== '' && <span className="wide">{selected}</span>}
      <span className="end" />
      <label className="pick wide">
        <select
          className="bare"
          aria-label="Rows per page"
          value={view.pageSize}
          onChange={(event) => change({ pageSize: Number(event.target.value) })}
        >
          {pageSizes.map((size) => (
            <option key={size} value={size}>
              {size} per page
            </option>
          ))}
          <option value={allRows}>Scroll all</option>
        </select>
      </label>
      {view.pageSize !== allRows && <Pager {...props} />}
    </footer>
  );
}

function Pager({ view, change, total, isExact }: StatusBarProps): JSX.Element {
  const pages =
    total === undefined || total === null
      ? undefined
      : Math.max(1, Math.ceil(total / view.pageSize));
  return (
    <>
      <PageButton
        label="Previous page"
        icon="left"
        to={view.page - 1}
        isOff={view.page <= 1}
        change={change}
      />
      <span className="pages">
        Page <PageNumber page={view.page} pages={isExact ? pages : undefined} change={change} /> of{' '}
        {isExact ? '' : '~'}
        {pages?.toLocaleString('en') ?? '…'}
      </span>
      <PageButton
        label="Next page"
        icon="right"
        to={view.page + 1}
        isOff={pages !== undefined && isExact && view.page >= pages}
        change={change}
      />
    </>
  );
}

interface PageNumberProps {
  readonly page: number;
  /** The number of pages, if it is known exactly. */
  readonly pages: number | undefined;
  readonly change: ChangeView;
}

/** The number of the page, which can be changed. A number past the end goes to the last page. */
function PageNumber({ page, pages = Infinity, change }: PageNumberProps): JSX.Element {
  const [typed, setTyped] = useState<string>();
  const go = (): void => {
    const digits = (typed ?? '').replaceAll(/[^0-9]/g, '');
    const next = Math.min(pages, Math.max(1, Number(digits)));
    setTyped(undefined);
    if (digits !== '' && next !== page && Number.isSafeInteger(next)) change({ page: next });
  };
  return (
    <input
      className="page-number"
      aria-label="Page"
      title="Go to page"
      inputMode="numeric"
      style={{ width: `${Math.max(2, (typed ?? String(page)).length) + 2}ch` }}
      value={typed ?? page.toLocaleString('en')}
      onFocus={(event) => event.target.select()}
      onChange={(event) => setTyped(event.target.value)}
      onBlur={go}
      onKeyDown={(event) => {
        if (event.key === 'Enter') go();
        if (event.key === 'Escape') setTyped(undefined);
      }}
    />
  );
}

interface PageButtonProps {
  readonly label: string;
  readonly icon: 'left' | 'right';
  readonly to: number;
  readonly isOff: boolean;
  readonly change: ChangeView;
}

function PageButton({ label, icon, to, isOff, change }: PageButtonProps): JSX.Element {
  return (
    <button
      className="ib"
      aria-label={label}
      title={isOff ? `${label}: there is none` : label}
      aria-disabled={isOff}
      onClick={() => {
        if (!isOff) change({ page: to });
      }}
    >
      <Icon name={icon} />
    </button>
  );
}
