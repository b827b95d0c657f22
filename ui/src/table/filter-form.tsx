import { useState } from 'react';
import type { JSX } from 'react';
import type { Table } from '../api/queries.ts';
import { choicesOf } from '../cells/value-kind.ts';
import { foreignKeyOf } from '../record/reference.ts';
import { readFilterList, writeFilterList } from './filter-list.ts';
import { ChoiceValues, ListValues, ReferenceValues, TextValue } from './filter-values.tsx';
import type { FilterValuesProps } from './filter-values.tsx';
import { conditionOf, conditions } from './operators.ts';
import type { Condition } from './operators.ts';
import type { FilterTerm } from './view-state.ts';

interface FilterFormProps {
  readonly table: Table;
  readonly filter?: FilterTerm | undefined;
  /** The column that is selected first if there is no filter yet. */
  readonly firstColumn?: string | undefined;
  readonly onDone: (filter: FilterTerm) => void;
}

/** The form of one condition: column, condition, value. */
export function FilterForm({ table, filter, firstColumn, onDone }: FilterFormProps): JSX.Element {
  const { columns } = table;
  const [column, setColumn] = useState(filter?.column ?? firstColumn ?? columns[0]?.name ?? '');
  const [conditionId, setConditionId] = useState(
    filter === undefined ? 'eq' : (conditionOf(filter)?.id ?? 'eq'),
  );
  const [values, setValues] = useState(filter === undefined ? [] : valuesOfTerm(filter));
  const condition = conditions.find(({ id }) => id === conditionId) ?? conditions[0]!;
  const finish = (finalValues: readonly string[]): void =>
    onDone({ column, operator: condition.operator, value: valueText(condition, finalValues) });
  return (
    <form
      className="filter-form"
      onSubmit={(event) => {
        event.preventDefault();
        finish(values);
      }}
    >
      <label>
        <span className="t3">Column</span>
        <select
          className="field"
          aria-label="Column"
          value={column}
          onChange={(event) => setColumn(event.target.value)}
        >
          {columns.map(({ name }) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </label>
      <label>
        <span className="t3">Condition</span>
        <select
          className="field"
          aria-label="Condition"
          value={conditionId}
          onChange={(event) => setConditionId(event.target.value)}
        >
          {conditions.map(({ id, meaning }) => (
            <option key={id} value={id}>
              {meaning}
            </option>
          ))}
        </select>
      </label>
      <ValueField
        key={`${condition.takes === 'list'} ${column}`}
        {...{ table, column, condition, values, onDone: finish }}
        isFirst={filter !== undefined}
        onChange={setValues}
      />
      <div className="row">
        <span className="t3 hint">{hints[condition.operator]}</span>
        <button className="btn primary end">Apply</button>
      </div>
    </form>
  );
}

function valuesOfTerm({ operator, value }: FilterTerm): readonly string[] {
  if (operator === 'null') return [];
  return operator === 'in' || operator === 'nin' ? readFilterList(value) : [value];
}

function valueText({ takes }: Condition, values: readonly string[]): string {
  if (typeof takes === 'object') return takes.fixed;
  return takes === 'list' ? writeFilterList(values) : (values[0] ?? '');
}

const hints: Readonly<Record<string, string>> = {
  in: 'Separated by commas or lines',
  nin: 'Separated by commas or lines',
  like: '% is any text, _ one character',
  ilike: '% is any text, _ one character',
};

interface ValueFieldProps extends Omit<FilterValuesProps, 'column' | 'isList'> {
  readonly column: string;
  readonly condition: Condition;
}

/** What the values are selected from: the referenced rows, the values of the type, or anything typed. */
function ValueField({ condition, ...props }: ValueFieldProps): JSX.Element | null {
  const { table } = props;
  const column = table.columns.find(({ name }) => name === props.column);
  const { operator, takes } = condition;
  if (column === undefined || typeof takes === 'object') return null;
  const given = { ...props, column, isList: takes === 'list' };
  const isExact = ['eq', 'ne', 'in', 'nin'].includes(operator);
  if (isExact && foreignKeyOf(table, column) !== undefined) return <ReferenceValues {...given} />;
  if (isExact && choicesOf(column) !== undefined) return <ChoiceValues {...given} />;
  return takes === 'list' ? <ListValues {...given} /> : <TextValue {...given} />;
}
