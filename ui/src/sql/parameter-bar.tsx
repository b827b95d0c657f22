import type { JSX, RefObject } from 'react';
import { kindOf, valueKinds } from './entered-values.ts';
import type { ParameterValue, ParameterValues, ValueKind } from './entered-values.ts';
import { sqlTexts as texts } from '../texts/sql.ts';
import { commonTexts } from '../texts/common.ts';

interface ParameterBarProps {
  readonly form: RefObject<HTMLFormElement | null>;
  readonly names: readonly string[];
  readonly enteredValues: ParameterValues;
  /** Why the statement was not run. */
  readonly problem: string | undefined;
  readonly onChange: (name: string, value: ParameterValue) => void;
  readonly onRun: () => void;
}

/** A field for each parameter of the statement that would run. */
export function ParameterBar(props: ParameterBarProps): JSX.Element | null {
  const { form, names, enteredValues, problem, onChange, onRun } = props;
  if (names.length === 0) return null;
  return (
    <form
      ref={form}
      className="parameters"
      aria-label={texts.parameters}
      onSubmit={(event) => {
        event.preventDefault();
        onRun();
      }}
    >
      {[...new Set(names)].map((name) => (
        <ParameterField
          key={name}
          name={name}
          enteredValue={enteredValues.get(name) ?? { text: '' }}
          onChange={(value) => onChange(name, value)}
        />
      ))}
      {problem !== undefined && (
        <p className="err" role="alert">
          {problem}
        </p>
      )}
      {/* Enter in any field runs the statement. */}
      <button type="submit" hidden />
    </form>
  );
}

interface ParameterFieldProps {
  readonly name: string;
  readonly enteredValue: ParameterValue;
  readonly onChange: (value: ParameterValue) => void;
}

function ParameterField({ name, enteredValue, onChange }: ParameterFieldProps): JSX.Element {
  const kind = kindOf(enteredValue);
  return (
    <div className="row">
      <span className="mono t2">{name}</span>
      <span className="field">
        <input
          name={name}
          aria-label={name}
          dir="auto"
          spellCheck={false}
          autoComplete="off"
          value={kind === 'null' ? '' : enteredValue.text}
          placeholder={kind === 'null' ? commonTexts.nullValue : ''}
          onChange={({ target }) =>
            onChange({ text: target.value, kind: kind === 'null' ? undefined : enteredValue.kind })
          }
        />
        <select
          className="bare t2"
          aria-label={texts.typeOf({ name })}
          value={kind}
          onChange={({ target }) => onChange({ ...enteredValue, kind: target.value as ValueKind })}
        >
          {valueKinds.map(([value, title]) => (
            <option key={value} value={value}>
              {title}
            </option>
          ))}
        </select>
      </span>
    </div>
  );
}
