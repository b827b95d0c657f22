import { useState } from 'react';
import type { JSX } from 'react';
import type { Column } from '../api/queries.ts';
import { choicesOf, isNumberColumn } from '../cells/value-kind.ts';
import { operators } from './operators.ts';
import type { FilterTerm } from './view-state.ts';

interface FilterFormProps {
  readonly columns: readonly Column[];
  readonly filter?: FilterTerm | undefined;
  readonly onDone: (filter: FilterTerm) => void;
}

/** The form of one filter: column, operator, value. */
export function FilterForm({ columns, filter, onDone }: FilterFormProps): JSX.Element {
  const [column, setColumn] = useState(filter?.column ?? columns[0]?.name ?? '');
  const [operator, setOperator] = useState(filter?.operator ?? 'eq');
  const [value, setValue] = useState(filter?.value ?? '');
  const selectedColumn = columns.find(({ name }) => name === column);
  return (
    <form
      className="filter-form"
      onSubmit={(event) => {
        event.preventDefault();
        onDone({ column, operator, value: operator === 'null' ? nullValue(value) : value });
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
          value={operator}
          onChange={(event) => setOperator(event.target.value)}
        >
          {operators.map(({ name, meaning }) => (
            <option key={name} value={name}>
              {meaning}
            </option>
          ))}
        </select>
      </label>
      <ValueField operator={operator} column={selectedColumn} value={value} onChange={setValue} />
      <div className="row">
        <span className="t3 hint">{hints[operator]}</span>
        <button className="btn primary end">Apply</button>
      </div>
    </form>
  );
}

function nullValue(value: string): string {
  return value === 'false' ? 'false' : 'true';
}

const hints: Readonly<Record<string, string>> = {
  in: 'A JSON array: [1, 2]',
  nin: 'A JSON array: [1, 2]',
  like: '% is any text, _ one character',
  ilike: '% is any text, _ one character',
};

interface ValueFieldProps {
  readonly operator: string;
  readonly column: Column | undefined;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

function ValueField({ operator, column, value, onChange }: ValueFieldProps): JSX.Element {
  const choices = choicesFor(operator, column);
  return (
    <label>
      <span className="t3">Value</span>
      {choices === undefined ? (
        <span className="field">
          <input
            autoFocus
            aria-label="Value"
            inputMode={column !== undefined && isNumberColumn(column) ? 'decimal' : 'text'}
            value={value}
            onChange={(event) => onChange(event.target.value)}
          />
        </span>
      ) : (
        <select
          autoFocus
          className="field"
          aria-label="Value"
          value={value}
          onChange={(event) => onChange(event.target.value)}
        >
          {choices.map((choice) => (
            <option key={choice}>{choice}</option>
          ))}
        </select>
      )}
    </label>
  );
}

/** Returns the possible values of a filter, if the operator or the column limits them. */
function choicesFor(operator: string, column: Column | undefined): readonly string[] | undefined {
  if (operator === 'null') return ['true', 'false'];
  if (operator !== 'eq' && operator !== 'ne') return undefined;
  const columnChoices = column === undefined ? undefined : choicesOf(column);
  return columnChoices === undefined ? undefined : ['', ...columnChoices];
}
