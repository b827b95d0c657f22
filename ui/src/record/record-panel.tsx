import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { JSX, ReactNode } from 'react';
import { findTable, queryClient, recordQuery, schemaQuery } from '../api/queries.ts';
import type { Table } from '../api/queries.ts';
import { ConflictDialog } from '../editing/conflict-dialog.tsx';
import { ReviewBar } from '../editing/review-bar.tsx';
import { rowAfterSaves, saveCount } from '../editing/rows-after-saves.ts';
import { rowValuesOf } from '../editing/shown-rows.ts';
import type { ShownRow } from '../editing/shown-rows.ts';
import { useStaged } from '../editing/staged-store.ts';
import type { Staged, StoredRow } from '../editing/staged.ts';
import { ErrorNotice } from '../parts/error-notice.tsx';
import { Icon } from '../parts/icon.tsx';
import { useReadOnlyReason } from '../api/capabilities.ts';
import type { RecordSteps } from '../table/record-steps.ts';
import { newRowNumber, readRecord, formatRecordAddress } from './record-address.ts';
import type { RecordAddress } from './record-address.ts';
import { RecordFields } from './record-fields.tsx';
import { recordTitle } from './record-title.ts';
import { usePanelFocus } from './use-panel-focus.ts';
import { RelatedRows } from './related-rows.tsx';
import { relationLabel } from './relation-label.ts';
import { RelationTab } from './relation-tab.tsx';
import { recordTexts as texts } from '../texts/record.ts';

interface RecordPanelProps {
  /** The table of the page. The page already shows the bar of its unsaved changes. */
  readonly pageTable: string;
  /** The trail of records, each opened from the one before. The last one is shown. */
  readonly open: readonly string[];
  /** `replaces` leaves no entry of its own in the history. */
  readonly onOpen: (open: readonly string[], options?: { readonly replaces: boolean }) => void;
  /** Steps to the previous and next row. Undefined if the record is not in the grid. */
  readonly steps: RecordSteps | undefined;
}

/** The panel beside the grid: the fields of a record and its related rows. */
export function RecordPanel(props: RecordPanelProps): JSX.Element | null {
  const { pageTable, open, onOpen, steps } = props;
  const { data: schema } = useQuery(schemaQuery);
  const [keysByAddress, setKeysByAddress] = useState<RecordKeys>(new Map());
  const address = readRecord(open.at(-1) ?? '');
  const table = address === undefined ? undefined : findTable(schema, address.table);
  if (address === undefined || table === undefined) return null;
  const text = formatRecordAddress(address);
  // A record that gets another id keeps its fields, and the focus in one of them.
  const key = keysByAddress.get(text) ?? text;
  const keepKey = (id: string): void => {
    const next = formatRecordAddress({ table: table.name, id });
    setKeysByAddress((before) => new Map([...before, [next, key]]));
    onOpen([...open.slice(0, -1), next], { replaces: true });
  };
  return (
    <Panel onClose={() => onOpen([])}>
      <Record
        key={key}
        table={table}
        address={address}
        trail={open}
        onOpen={onOpen}
        onNewId={keepKey}
        steps={steps}
      />
      {table.name !== pageTable && (
        <>
          <ReviewBar table={table} />
          <ConflictDialog table={table} />
        </>
      )}
    </Panel>
  );
}

interface PanelProps {
  readonly onClose: () => void;
  readonly children: ReactNode;
}

function Panel({ onClose, children }: PanelProps): JSX.Element {
  const panel = useRef<HTMLElement>(null);
  const handleKey = usePanelFocus(panel, onClose);
  return (
    <aside
      ref={panel}
      className="panel"
      aria-label={texts.record}
      tabIndex={-1}
      onKeyDown={handleKey}
    >
      {children}
    </aside>
  );
}

/** The React keys of records that a save has given another address, by that address. */
type RecordKeys = ReadonlyMap<string, string>;

interface RecordProps extends TrailProps {
  readonly table: Table;
  readonly address: RecordAddress;
  /** Receives the id that a save has given the record. */
  readonly onNewId: (id: string) => void;
}

/**
 * A save can give the record another id: a new row gets its first one, and keys can be edited. Returns
 * the record as it was saved.
 */
function useSavedVersion({ table, address, onNewId }: RecordProps): StoredRow | undefined {
  const [openedRecord, setOpened] = useState(() => ({ id: address.id, since: saveCount() }));
  if (openedRecord.id !== address.id) setOpened({ id: address.id, since: saveCount() });
  const { since } = openedRecord;
  const { version } = rowAfterSaves({ table: table.name, key: openedRecord.id, since });
  useEffect(() => {
    if (version === undefined || version.id === address.id) return;
    const { row: body, etag } = version;
    const { queryKey } = recordQuery(table.name, version.id);
    queryClient.setQueryData(queryKey, etag === undefined ? { body } : { body, etag });
    onNewId(version.id);
    // `onNewId` is another function in each render.
  }, [version, address.id]);
  return version;
}

const fieldsTab = '';

/** Returns a stored row or a new one, with its staged changes. */
function useShownRecord(table: Table, address: RecordAddress, version: StoredRow | undefined) {
  const number = newRowNumber(address);
  const { staged } = useStaged(table.name);
  const { data, error, refetch } = useQuery({
    ...recordQuery(table.name, address.id),
    enabled: number === undefined,
  });
  const shown =
    number === undefined
      ? data && storedRecord(staged, { id: address.id, row: data.body, etag: data.etag })
      : (newRecord(staged, number) ?? (version && storedRecord(staged, version)));
  return { shown, error, refetch, isNoLongerStaged: number !== undefined && shown === undefined };
}

function storedRecord(staged: Staged, storedRow: StoredRow): ShownRow {
  return {
    kind: 'stored',
    stored: storedRow,
    row: storedRow.row,
    values: staged.edits.get(storedRow.id)?.values ?? {},
    isRemoved: staged.removed.has(storedRow.id),
    labels: undefined,
  };
}

function newRecord({ created }: Staged, number: number): ShownRow | undefined {
  const values = created.get(number);
  return values === undefined ? undefined : { kind: 'new', number, values };
}

function Record(props: RecordProps): JSX.Element {
  const { table, address, trail, onOpen, steps } = props;
  const version = useSavedVersion(props);
  const { shown, error, refetch, isNoLongerStaged } = useShownRecord(table, address, version);
  const readOnlyReason = useReadOnlyReason(table);
  const [tab, setTab] = useState(fieldsTab);
  const openReference = (next: RecordAddress): void =>
    onOpen([...trail, formatRecordAddress(next)]);
  const relation = table.relations.find(({ name }) => name === tab);
  const relationNames = table.relations.map(({ name }) => name);
  return (
    <>
      <header>
        <Trail trail={trail} onOpen={onOpen} steps={steps} />
        <h2 className="cut" dir="auto">
          {shown === undefined ? ' ' : titleOf(table, shown, address)}
        </h2>
      </header>
      <div className="subtabs" role="tablist" aria-label={texts.fieldsAndRelations}>
        <button
          className="subtab"
          role="tab"
          aria-selected={tab === fieldsTab}
          onClick={() => setTab(fieldsTab)}
        >
          {texts.fields}
          <span className="cnt">{table.columns.length}</span>
        </button>
        {(shown?.kind === 'new' ? [] : table.relations).map(({ name }) => (
          <RelationTab
            key={name}
            address={{ ...address, relation: name }}
            label={relationLabel(name, relationNames)}
            isSelected={tab === name}
            onSelect={() => setTab(name)}
          />
        ))}
      </div>
      {error !== null && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {isNoLongerStaged && <p className="blank t2">{texts.newRowGone}</p>}
      {relation === undefined && shown !== undefined && (
        <RecordFields
          table={table}
          shown={shown}
          address={address}
          readOnlyReason={readOnlyReason}
          onOpenRecord={openReference}
        />
      )}
      {relation !== undefined && (
        <RelatedRows
          key={relation.name}
          relation={relation}
          address={address}
          onOpenRecord={openReference}
        />
      )}
    </>
  );
}

function titleOf(table: Table, shownRow: ShownRow, address: RecordAddress): string {
  const title = recordTitle(table, rowValuesOf(shownRow));
  if (shownRow.kind === 'new') return title ?? texts.newRowOf({ table: table.name });
  return title ?? `${table.name} ${decodeURIComponent(address.id)}`;
}

interface TrailProps extends Pick<RecordPanelProps, 'onOpen' | 'steps'> {
  readonly trail: readonly string[];
}

/** The trail of opened records, with back, step and close buttons. */
function Trail({ trail, onOpen, steps }: TrailProps): JSX.Element {
  return (
    <div className="trail">
      <button
        className="ib back"
        aria-label={texts.back}
        title={trail.length > 1 ? texts.backToRecord : texts.backToRows}
        onClick={() => onOpen(trail.slice(0, -1))}
      >
        <Icon name="left" />
      </button>
      <span className="cut row">
        {trail.map((text, i) => {
          const address = readRecord(text);
          const isLast = i === trail.length - 1;
          return (
            <span key={text} className="row">
              {i > 0 && <Icon name="right" size="xs" />}
              <button
                className={isLast ? '' : 'link'}
                aria-current={isLast ? 'true' : undefined}
                onClick={() => onOpen(trail.slice(0, i + 1))}
              >
                {address?.table} {address === undefined ? '' : idText(address)}
              </button>
            </span>
          );
        })}
      </span>
      <span className="end" />
      {steps !== undefined && (
        <>
          <StepButton
            label={texts.previous}
            disabledReason={texts.noPrevious}
            icon="up"
            onStep={steps.previous}
          />
          <StepButton
            label={texts.next}
            disabledReason={texts.noNext}
            icon="down"
            onStep={steps.next}
          />
        </>
      )}
      <button className="ib" aria-label={texts.close} onClick={() => onOpen([])}>
        <Icon name="close" />
      </button>
    </div>
  );
}

interface StepButtonProps {
  readonly label: string;
  /** Shown instead of the label while the button is disabled. */
  readonly disabledReason: string;
  readonly icon: 'up' | 'down';
  readonly onStep: (() => void) | undefined;
}

function StepButton({ label, disabledReason, icon, onStep }: StepButtonProps): JSX.Element {
  return (
    <button
      className="ib"
      aria-label={label}
      title={onStep === undefined ? disabledReason : label}
      aria-disabled={onStep === undefined}
      onClick={onStep}
    >
      <Icon name={icon} />
    </button>
  );
}

function idText(address: RecordAddress): string {
  return newRowNumber(address) === undefined ? decodeURIComponent(address.id) : texts.newRecord;
}
