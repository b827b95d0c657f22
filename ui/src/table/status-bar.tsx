import { useState } from 'react';
import type { JSX } from 'react';
import { Icon } from '../parts/icon.tsx';
import { allRows, pageSizes } from './view-state.ts';
import type { ViewState } from './view-state.ts';
import type { ChangeView } from './use-view.ts';
import { tableTexts as texts } from '../texts/table.ts';
import { commonTexts } from '../texts/common.ts';

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
        {texts.rows({ count: total })}
      </span>
      {durationMs !== undefined && (
        <span className="t3 duration">
          {texts.milliseconds({ ms: Math.max(1, Math.round(durationMs)) })}
        </span>
      )}
      {isPagedByPosition && (
        <span className="t3 wide" title={texts.offsetPagingHint}>
          {texts.offsetPaging}
        </span>
      )}
      {labelErrors !== undefined && (
        <span
          className="t3 wide"
          title={Object.entries(labelErrors)
            .map(([column, reason]) => texts.labelError({ column, reason }))
            .join('\n')}
        >
          {texts.labelsMissing({ columns: Object.keys(labelErrors).join(', ') })}
        </span>
      )}
      {selected !== '' && <span className="wide">{selected}</span>}
      <span className="end" />
      <label className="pick wide">
        <select
          className="bare"
          aria-label={texts.rowsPerPage}
          value={view.pageSize}
          onChange={(event) => change({ pageSize: Number(event.target.value) })}
        >
          {pageSizes.map((size) => (
            <option key={size} value={size}>
              {texts.perPage({ rows: size })}
            </option>
          ))}
          <option value={allRows}>{texts.allRows}</option>
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
        label={commonTexts.previousPage}
        disabledReason={texts.isFirstPage}
        icon="left"
        to={view.page - 1}
        isDisabled={view.page <= 1}
        change={change}
      />
      <span className="pages">
        {texts.page}{' '}
        <PageNumber page={view.page} pages={isExact ? pages : undefined} change={change} />{' '}
        {texts.ofPages({ pages: `${isExact ? '' : '~'}${pages?.toLocaleString('en') ?? '…'}` })}
      </span>
      <PageButton
        label={commonTexts.nextPage}
        disabledReason={texts.isLastPage}
        icon="right"
        to={view.page + 1}
        isDisabled={pages !== undefined && isExact && view.page >= pages}
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
      aria-label={texts.page}
      title={texts.goToPage}
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
  /** Shown instead of the label while the button is disabled. */
  readonly disabledReason: string;
  readonly icon: 'left' | 'right';
  readonly to: number;
  readonly isDisabled: boolean;
  readonly change: ChangeView;
}

function PageButton({
  label,
  disabledReason,
  icon,
  to,
  isDisabled,
  change,
}: PageButtonProps): JSX.Element {
  return (
    <button
      className="ib"
      aria-label={label}
      title={isDisabled ? disabledReason : label}
      aria-disabled={isDisabled}
      onClick={() => {
        if (!isDisabled) change({ page: to });
      }}
    >
      <Icon name={icon} />
    </button>
  );
}
