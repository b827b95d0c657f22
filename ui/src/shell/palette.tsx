import { Dialog } from '@base-ui/react/dialog';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { DialogPopup } from '../parts/dialog-popup.tsx';
import { modifierKey } from '../parts/modifier-key.ts';
import type { JSX, KeyboardEvent, RefObject } from 'react';
import { CutName } from '../parts/cut-name.tsx';
import { cutNames } from '../parts/cut-names.ts';
import type { CutParts } from '../parts/cut-names.ts';
import { schemaQuery } from '../api/queries.ts';
import { Icon } from '../parts/icon.tsx';
import { useShortcut } from '../parts/use-shortcut.ts';
import { minLetters, recordsQuery } from './find-records.ts';
import type { FoundRecords } from './find-records.ts';
import { useEntries, useRecordEntries } from './palette-entries.ts';
import type { Entry } from './palette-entries.ts';
import { usePaletteFocus } from './palette-focus.ts';
import { rankMatches } from './rank-matches.ts';
import { shellTexts as texts } from '../texts/shell.ts';
import { commonTexts } from '../texts/common.ts';

/** The command palette, which finds tables, columns, saved queries, actions and records by a part of their names. */
export function Palette(): JSX.Element {
  const [isOpen, setIsOpen] = useState(false);
  const [openings, setOpenings] = useState(0);
  const field = useRef<HTMLInputElement>(null);
  const isReopened = useRef(false);
  const focus = usePaletteFocus();
  const setOpen = (opens: boolean): void => {
    setIsOpen(opens);
    if (!opens) return;
    isReopened.current = field.current !== null;
    setOpenings(openings + 1);
  };
  // A popup that has not disappeared yet does not get the focus again by itself.
  useLayoutEffect(() => {
    if (isReopened.current) field.current?.focus({ preventScroll: true });
  }, [openings]);
  useShortcut('mod+k', () => {
    if (!isOpen) focus.opens();
    setOpen(!isOpen);
  });
  return (
    <Dialog.Root open={isOpen} onOpenChange={setOpen}>
      <Dialog.Trigger
        render={
          <button className="jump" onPointerDown={focus.opens} onKeyDown={focus.opens}>
            <Icon name="search" size="s" />
            <span className="grow">{commonTexts.search}</span>
            <span className="keys">
              <kbd>{modifierKey}</kbd>
              <kbd>K</kbd>
            </span>
          </button>
        }
      />
      <DialogPopup
        className="dialog palette"
        aria-label={texts.palette}
        finalFocus={focus.finalFocus}
      >
        {/* Whoever opens the palette before it has disappeared gets an empty one too. */}
        <PaletteList
          key={openings}
          field={field}
          onChoose={(entry) => {
            setOpen(false);
            focus.run(entry.run);
          }}
        />
      </DialogPopup>
    </Dialog.Root>
  );
}

const maxShown = 50;

const typingPauseMs = 200;

/** The text, once nothing has been typed for a moment. */
function useTypingPause(text: string): string {
  const [settledText, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), typingPauseMs);
    return () => clearTimeout(timer);
  }, [text]);
  return settledText;
}

/** Entries by name, then records, then entries that only have the letters in this order. */
function useMatches(typed: string) {
  const text = typed.trim();
  const settledText = useTypingPause(text);
  const { data: schema } = useQuery(schemaQuery);
  const { data } = useQuery(recordsQuery(schema, settledText));
  const found = settledText === text ? data : undefined;
  const byName = rankMatches(useEntries(text !== ''), typed);
  const records = useRecordEntries(found?.records ?? []);
  const contains = ({ label }: Entry): boolean => label.toLowerCase().includes(text.toLowerCase());
  const matchesByName = byName.filter(contains).slice(0, maxShown);
  const scattered = byName
    .filter((entry) => !contains(entry))
    .slice(0, maxShown - matchesByName.length);
  return { entries: [...matchesByName, ...records, ...scattered], found };
}

interface SummaryProps {
  readonly hasEntries: boolean;
  readonly text: string;
  readonly found: FoundRecords | undefined;
}

const maxNamed = 3;

/** Says that nothing was found, and which tables were not searched for records. */
function Summary({ hasEntries, text, found }: SummaryProps): JSX.Element | null {
  const { notSearched = [] } = found ?? {};
  const tables = notSearched.slice(0, maxNamed).join(', ');
  if (hasEntries && notSearched.length === 0) return null;
  const isSearching = found === undefined && text.length >= minLetters;
  return (
    <p className="pad t3 small" role="status">
      {!hasEntries && (isSearching ? commonTexts.searching : texts.noResults)}{' '}
      {notSearched.length > 0 &&
        text !== '' &&
        texts.notSearched({ tables, more: notSearched.length - maxNamed })}
    </p>
  );
}

interface PaletteListProps {
  readonly field: RefObject<HTMLInputElement | null>;
  readonly onChoose: (entry: Entry) => void;
}

function PaletteList({ field, onChoose }: PaletteListProps): JSX.Element {
  const [typed, setTyped] = useState('');
  const [highlighted, setHighlighted] = useState<string>();
  const { entries, found } = useMatches(typed);
  // By its key, because records that are found later move entries.
  const current = Math.max(
    0,
    entries.findIndex((entry) => keyOf(entry) === highlighted),
  );
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      const next = entries[(current + step + entries.length) % Math.max(1, entries.length)];
      setHighlighted(next && keyOf(next));
    }
    if (event.key !== 'Enter') return;
    // What the entry opens may have the focus before the key is done, and must not get it.
    event.preventDefault();
    const entry = entries[current];
    // Without an entry the palette stays open: records may still be found.
    if (entry !== undefined) onChoose(entry);
  };
  return (
    <>
      <div className="palette-field">
        <Icon name="search" />
        <input
          ref={field}
          className="grow bare"
          role="combobox"
          aria-expanded={entries.length > 0}
          aria-controls="palette-list"
          aria-activedescendant={entries.length > 0 ? `palette-${current}` : undefined}
          aria-label={texts.palette}
          placeholder={texts.paletteHint}
          value={typed}
          onChange={(event) => {
            setTyped(event.target.value);
            setHighlighted(undefined);
          }}
          onKeyDown={onKeyDown}
        />
      </div>
      <PaletteResults
        entries={entries}
        current={current}
        onHighlight={(entry) => setHighlighted(keyOf(entry))}
        onChoose={onChoose}
      />
      <Summary hasEntries={entries.length > 0} text={typed.trim()} found={found} />
    </>
  );
}

interface PaletteResultsProps {
  readonly entries: readonly Entry[];
  readonly current: number;
  readonly onHighlight: (entry: Entry) => void;
  readonly onChoose: (entry: Entry) => void;
}

function PaletteResults(props: PaletteResultsProps): JSX.Element {
  const { entries, current, onHighlight, onChoose } = props;
  const parts = cutNames(entries.map(({ label }) => label));
  return (
    <div className="menu palette-list" id="palette-list" role="listbox" aria-label={texts.results}>
      {entries.map((entry, i) => (
        <PaletteOption
          key={keyOf(entry)}
          id={`palette-${i}`}
          entry={entry}
          parts={parts.get(entry.label)}
          isCurrent={i === current}
          onHighlight={() => onHighlight(entry)}
          onChoose={() => onChoose(entry)}
        />
      ))}
    </div>
  );
}

function keyOf({ icon, label, note }: Entry): string {
  return `${icon} ${label} ${note}`;
}

interface PaletteOptionProps {
  readonly id: string;
  readonly entry: Entry;
  readonly parts: CutParts | undefined;
  readonly isCurrent: boolean;
  readonly onHighlight: () => void;
  readonly onChoose: () => void;
}

function PaletteOption(props: PaletteOptionProps): JSX.Element {
  const { id, entry, parts, isCurrent, onHighlight, onChoose } = props;
  return (
    <div
      id={id}
      className="mi"
      role="option"
      aria-selected={isCurrent}
      onPointerMove={onHighlight}
      onClick={onChoose}
    >
      <Icon name={entry.icon} />
      <span className="grow" title={entry.label}>
        <CutName name={entry.label} parts={parts} />
      </span>
      <span className="end">{entry.note}</span>
    </div>
  );
}
