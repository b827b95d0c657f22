import { useState } from 'react';
import type { JSX } from 'react';
import type { Table } from '../../api/queries.ts';
import { Icon } from '../../parts/icon.tsx';
import { Popover } from '../../parts/popover.tsx';
import { FilterForm } from './filter-form.tsx';
import { readFilterList } from './filter-list.ts';
import { conditionOf } from './operators.ts';
import { ReferenceText } from '../reference-text.tsx';
import type { Filter, FilterTerm } from '../view-state.ts';
import { tableTexts as texts } from '../../texts/table.ts';

interface FilterChipsProps {
  readonly table: Table;
  readonly filter: Filter;
  /** Receives the filter without its last condition too. */
  readonly onChange: (filter: Filter) => void;
}

/** A filter: one chip for each of its conditions, and a button for one more. */
export function FilterChips({ table, filter, onChange }: FilterChipsProps): JSX.Element {
  const chips = filter.map((term, i) => (
    <span key={`${i} ${term.column} ${term.operator} ${term.value}`} className="fterm">
      {i > 0 && <span className="t3 or-word">{texts.or}</span>}
      <TermChip
        table={table}
        term={term}
        onChange={(next) => onChange(filter.with(i, next))}
        onRemove={() => onChange(filter.toSpliced(i, 1))}
      />
    </span>
  ));
  const isGroup = filter.length > 1;
  return (
    <span
      className={isGroup ? 'fgroup any' : 'fgroup'}
      role={isGroup ? 'group' : undefined}
      aria-label={isGroup ? texts.anyCondition : undefined}
    >
      {chips}
      <OrButton
        table={table}
        column={filter.at(-1)?.column}
        onAdd={(term) => onChange([...filter, term])}
      />
    </span>
  );
}

interface TermChipProps {
  readonly table: Table;
  readonly term: FilterTerm;
  readonly onChange: (term: FilterTerm) => void;
  readonly onRemove: () => void;
}

function TermChip({ table, term, onChange, onRemove }: TermChipProps): JSX.Element {
  const [isOpen, setOpen] = useState(false);
  const condition = conditionOf(term);
  return (
    <span className="fchip">
      <Popover
        label={texts.filterOn(term)}
        isOpen={isOpen}
        onOpenChange={setOpen}
        trigger={
          <button className="open">
            <span>{term.column}</span>
            <span className="op">{condition?.symbol ?? term.operator}</span>
            {typeof condition?.takes !== 'object' && (
              <span className="val" title={term.value}>
                <TermValue table={table} term={term} />
              </span>
            )}
          </button>
        }
      >
        <FilterForm
          table={table}
          filter={term}
          onDone={(next) => {
            setOpen(false);
            onChange(next);
          }}
        />
      </Popover>
      <button className="x" aria-label={texts.removeFilter(term)} onClick={onRemove}>
        <Icon name="close" size="xs" />
      </button>
    </span>
  );
}

/** A list shows its first values, and how many there are beside them. */
const shownValues = 3;

function TermValue({ table, term }: Pick<TermChipProps, 'table' | 'term'>): JSX.Element {
  const column = table.columns.find(({ name }) => name === term.column);
  const condition = conditionOf(term);
  const isList = condition?.takes === 'list';
  const values = isList ? readFilterList(term.value) : [term.value];
  const hasLabels = isList || term.operator === 'eq' || term.operator === 'ne';
  if (column === undefined || !hasLabels) return <>{term.value === '' ? '“”' : term.value}</>;
  return (
    <>
      {values.slice(0, shownValues).map((value, i) => (
        <span key={value}>
          {i > 0 && ', '}
          <ReferenceText table={table} column={column} value={value} />
        </span>
      ))}
      {values.length > shownValues &&
        ` ${texts.moreValues({ count: values.length - shownValues })}`}
      {values.length === 0 && texts.noValues}
    </>
  );
}

interface OrButtonProps {
  readonly table: Table;
  readonly column: string | undefined;
  readonly onAdd: (term: FilterTerm) => void;
}

function OrButton({ table, column, onAdd }: OrButtonProps): JSX.Element {
  const [isOpen, setOpen] = useState(false);
  return (
    <Popover
      label={texts.addOrHint}
      isOpen={isOpen}
      onOpenChange={setOpen}
      trigger={
        <button className="btn quiet or" title={texts.addOrHint}>
          {texts.addOr}
        </button>
      }
    >
      <FilterForm
        table={table}
        firstColumn={column}
        onDone={(term) => {
          setOpen(false);
          onAdd(term);
        }}
      />
    </Popover>
  );
}
