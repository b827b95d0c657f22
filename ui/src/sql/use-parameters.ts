import { useRef, useState } from 'react';
import type { RefObject } from 'react';
import { invalidReason, valuesText } from './entered-values.ts';
import type { ParameterValue, ParameterValues } from './entered-values.ts';
import { bindParameters } from './bind-parameters.ts';

export interface Parameters {
  /** The parameters of the statements that would run. */
  readonly names: readonly string[];
  readonly enteredValues: ParameterValues;
  readonly onChange: (name: string, value: ParameterValue) => void;
  /** Why the statement was not run. */
  readonly problem: string | undefined;
  readonly form: RefObject<HTMLFormElement | null>;
  /** The statement to send with its values. Undefined if a value is missing; its field then gets the focus. */
  readonly bind: (
    statement: string,
    driver: string | undefined,
  ) => { readonly query: string; readonly params: string } | undefined;
}

/** The parameters of statements and their values. A name keeps its value while the page is open. */
export function useParameters(
  driver: string | undefined,
  statements: readonly string[],
): Parameters {
  const [enteredValues, setEntered] = useState<ParameterValues>(new Map());
  const [problem, setProblem] = useState<string>();
  const form = useRef<HTMLFormElement>(null);
  const names = statements.flatMap((statement) => bindParameters(statement, driver).names);
  const bind: Parameters['bind'] = (next, knownDriver) => {
    const bound = bindParameters(next, knownDriver);
    const missing = bound.names.find(
      (name) => invalidReason(name, enteredValues.get(name)) !== undefined,
    );
    setProblem(
      missing === undefined ? undefined : invalidReason(missing, enteredValues.get(missing)),
    );
    if (missing === undefined)
      return { query: bound.query, params: valuesText(bound.names, enteredValues) };
    const field = form.current?.elements.namedItem(missing);
    if (field instanceof HTMLElement) field.focus();
    return undefined;
  };
  return {
    names,
    enteredValues,
    onChange: (name, value) => {
      setEntered(new Map(enteredValues).set(name, value));
      setProblem(undefined);
    },
    problem,
    form,
    bind,
  };
}
