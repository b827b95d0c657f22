import { useState } from 'react';
import type { JSX } from 'react';
import type { Table } from '../../api/queries.ts';
import { choicesOf } from '../../cells/value-kind.ts';
import { foreignKeyOf } from '../../record/reference.ts';
import { readFilterList, writeFilterList } from './filter-list.ts';
import { ChoiceValues, ListValues, ReferenceValues, TextValue } from './filter-values.tsx';
import type { FilterValuesProps } from './filter-values.tsx';
import { conditionOf, conditions } from './operators.ts';
import type { Condition } from './operators.ts';
import type { FilterTerm } from '../view-state.ts';
import { tableTexts as texts } from '../../texts/table.ts';
import { commonTexts } from '../../texts/common.ts';

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
      <LabeledSelect
        label={commonTexts.column}
        value={column}
        choices={columns.map(({ name }) => [name, name])}
        onChoose={setColumn}
      />
      <LabeledSelect
        label={texts.condition}
        value={conditionId}
        choices={conditions.map(({ id, meaning }) => [id, meaning])}
        onChoose={setConditionId}
      />
      <ValueField
        key={`${condition.takes === 'list'} ${column}`}
        {...{ table, column, condition, values, onDone: finish }}
        isFirst={filter !== undefined}
        onChange={setValues}
      />
      <div className="row">
        <span className="t3 hint">
          {foreignKeyOf(table, { name: column }) === undefined && hints[condition.operator]}
        </span>
        <button className="btn primary end">{commonTexts.apply}</button>
      </div>
    </form>
  );
}

interface LabeledSelectProps {
  readonly label: string;
  readonly value: string;
  readonly choices: readonly (readonly [value: string, title: string])[];
  readonly onChoose: (value: string) => void;
}

function LabeledSelect({ label, value, choices, onChoose }: LabeledSelectProps): JSX.Element {
  return (
    <label>
      <span className="t3">{label}</span>
      <select
        className="field"
        aria-label={label}
        value={value}
        onChange={(event) => onChoose(event.target.value)}
      >
        {choices.map(([choice, title]) => (
          <option key={choice} value={choice}>
            {title}
          </option>
        ))}
      </select>
    </label>
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
  in: texts.listHint,
  nin: texts.listHint,
  like: texts.likeHint,
  ilike: texts.likeHint,
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
  const fieldProps = { ...props, column, isList: takes === 'list' };
  const isExact = ['eq', 'ne', 'in', 'nin'].includes(operator);
  if (isExact && foreignKeyOf(table, column) !== undefined)
    return <ReferenceValues {...fieldProps} />;
  if (isExact && choicesOf(column) !== undefined) return <ChoiceValues {...fieldProps} />;
  return takes === 'list' ? <ListValues {...fieldProps} /> : <TextValue {...fieldProps} />;
}
