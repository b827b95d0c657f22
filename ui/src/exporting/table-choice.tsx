import { useState } from 'react';
import type { JSX } from 'react';
import type { Schema, Table } from '../api/queries.ts';
import { CutName } from '../parts/cut-name.tsx';
import { Icon } from '../parts/icon.tsx';
import { cutNames } from '../parts/cut-names.ts';
import type { Choose } from './export-choices.ts';
import { MixedCheck } from './mixed-check.tsx';
import { exportingTexts as texts } from '../texts/exporting.ts';
import { commonTexts } from '../texts/common.ts';

interface TableChoiceProps {
  readonly schema: Schema | undefined;
  readonly omittedTables: ReadonlySet<string>;
  readonly choose: Choose;
}

/** More tables than are seen without scrolling. */
const manyTables = 10;

/** Selects the tables to export, grouped by namespace. */
export function TableChoice({ schema, omittedTables, choose }: TableChoiceProps): JSX.Element {
  const [search, setSearch] = useState('');
  const tables = schema?.tables ?? [];
  const searched = search.trim().toLowerCase();
  const found = tables.filter(({ name }) => name.toLowerCase().includes(searched));
  const groups = Map.groupBy(found, (table) => table.schema);
  const toggle = (names: readonly string[], isSelected: boolean): void => {
    const next = new Set(omittedTables);
    for (const name of names) {
      if (isSelected) next.delete(name);
      else next.add(name);
    }
    choose({ omittedTables: next });
  };
  return (
    <div>
      <div className="row lb">
        <span id="export-tables">{commonTexts.tables}</span>
        <span className="end t3">
          {texts.selectedCount({
            selected: tables.filter(({ name }) => !omittedTables.has(name)).length,
            total: tables.length,
          })}
        </span>
      </div>
      {tables.length > manyTables && (
        <span className="field">
          <Icon name="search" size="s" />
          <input
            className="bare"
            value={search}
            placeholder={texts.findTable}
            aria-label={texts.findTable}
            onChange={(event) => setSearch(event.target.value)}
          />
        </span>
      )}
      {found.length === 0 && search !== '' && <p className="t2">{texts.noTableFound}</p>}
      <div className="tbl" role="group" aria-labelledby="export-tables">
        {[...groups].map(([name, members]) => (
          <Group
            key={name}
            name={name}
            tables={members}
            omittedTables={omittedTables}
            toggle={toggle}
          />
        ))}
      </div>
    </div>
  );
}

interface GroupProps {
  readonly name: string;
  readonly tables: readonly Table[];
  readonly omittedTables: ReadonlySet<string>;
  readonly toggle: (names: readonly string[], isSelected: boolean) => void;
}

function Group({ name, tables, omittedTables, toggle }: GroupProps): JSX.Element {
  const [isOpen, setOpen] = useState(true);
  const names = tables.map((table) => table.name);
  const parts = cutNames(names);
  const selectedCount = names.filter((table) => !omittedTables.has(table)).length;
  const title = name === '' ? texts.allTables : name;
  return (
    <>
      <div className="hd">
        <label className="row cut checked">
          <MixedCheck
            label={title}
            state={selectedCount === 0 ? 'off' : selectedCount === names.length ? 'on' : 'mixed'}
            onToggle={() => toggle(names, selectedCount < names.length)}
          />
          <span className="cut">{title}</span>
        </label>
        <button
          className="ib sm"
          aria-expanded={isOpen}
          aria-label={name === '' ? texts.showTables : texts.tablesOf({ namespace: name })}
          onClick={() => setOpen(!isOpen)}
        >
          <Icon name={isOpen ? 'chevron-down' : 'right'} size="xs" />
        </button>
        <span className="grow" />
        <span className="num">{rowText(tables)}</span>
      </div>
      {isOpen &&
        tables.map((table) => (
          <label key={table.name}>
            <input
              type="checkbox"
              checked={!omittedTables.has(table.name)}
              onChange={(event) => toggle([table.name], event.target.checked)}
            />
            <span className="grow">
              <CutName name={table.name} parts={parts.get(table.name)} />
            </span>
            <span className="num t2">{table.row_count.toLocaleString('en')}</span>
          </label>
        ))}
    </>
  );
}

function rowText(tables: readonly Table[]): string {
  return commonTexts.rowCount({ count: tables.reduce((sum, { row_count }) => sum + row_count, 0) });
}
