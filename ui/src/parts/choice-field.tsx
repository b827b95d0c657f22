import type { JSX, ReactNode } from 'react';

interface ChoiceFieldProps<T extends string> {
  readonly label: string;
  readonly value: T;
  readonly choices: readonly (readonly [value: T, title: string])[];
  readonly onChoose: (value: T) => void;
}

/** Selects one of a few values. */
export function Segments<T extends string>(props: ChoiceFieldProps<T>): JSX.Element {
  const { label, value, choices, onChoose } = props;
  return (
    <div className="row">
      <span className="t2">{label}</span>
      <div className="seg" role="group" aria-label={label}>
        {choices.map(([choice, title]) => (
          <button key={choice} aria-pressed={choice === value} onClick={() => onChoose(choice)}>
            {title}
          </button>
        ))}
      </div>
    </div>
  );
}

/** Selects one of many values. */
export function SelectField<T extends string>(props: ChoiceFieldProps<T>): JSX.Element {
  const { label, value, choices, onChoose } = props;
  return (
    <label className="row">
      <span className="t2">{label}</span>
      <span className="field select">
        <select
          className="bare"
          value={value}
          onChange={(event) => onChoose(event.target.value as T)}
        >
          {choices.map(([choice, title]) => (
            <option key={choice} value={choice}>
              {title}
            </option>
          ))}
        </select>
      </span>
    </label>
  );
}

interface CheckFieldProps {
  readonly isOn: boolean;
  readonly onChange: (isOn: boolean) => void;
  readonly children: ReactNode;
}

export function CheckField({ isOn, onChange, children }: CheckFieldProps): JSX.Element {
  return (
    <label className="row checked">
      <input type="checkbox" checked={isOn} onChange={(event) => onChange(event.target.checked)} />
      <span>{children}</span>
    </label>
  );
}

interface InputFieldProps {
  readonly label: string;
  readonly value: string;
  readonly placeholder?: string;
  readonly maxLength?: number;
  readonly onChange: (value: string) => void;
}

/** A short text that takes effect with every key. */
export function InputField(props: InputFieldProps): JSX.Element {
  const { label, value, placeholder, maxLength, onChange } = props;
  return (
    <label className="row">
      <span className="t2">{label}</span>
      <span className="field">
        <input
          className="bare"
          value={value}
          placeholder={placeholder}
          maxLength={maxLength}
          size={maxLength ?? 10}
          onChange={(event) => onChange(event.target.value)}
        />
      </span>
    </label>
  );
}
