import { useRef, useState } from 'react';
import type { RefObject } from 'react';
import { missingReason, valuesText } from './given-values.ts';
import type { GivenValue, GivenValues } from './given-values.ts';
import { bindParameters } from './bind-parameters.ts';

interface Parameters {
  /** Of the statement that would run. */
  readonly names: readonly string[];
  readonly given: GivenValues;
  readonly onGive: (name: string, value: GivenValue) => void;
  /** Why nothing was run. */
  readonly problem: string | undefined;
  readonly form: RefObject<HTMLFormElement | null>;
  /** What is sent of a statement; undefined when a value is missing, whose field then has the focus. */
  readonly bind: (
    statement: string,
    driver: string | undefined,
  ) => { readonly query: string; readonly params: string } | undefined;
}

/** The parameters of statements, and what was given for them: a name keeps its value while the page is open. */
export function useParameters(driver: string | undefined, statement: string): Parameters {
  const [given, setGiven] = useState<GivenValues>(new Map());
  const [problem, setProblem] = useState<string>();
  const form = useRef<HTMLFormElement>(null);
  const { names } = bindParameters(statement, driver);
  const bind: Parameters['bind'] = (next, known) => {
    const bound = bindParameters(next, known);
    const missing = bound.names.find((name) => missingReason(name, given.get(name)) !== undefined);
    setProblem(missing === undefined ? undefined : missingReason(missing, given.get(missing)));
    if (missing === undefined)
      return { query: bound.query, params: valuesText(bound.names, given) };
    const field = form.current?.elements.namedItem(missing);
    if (field instanceof HTMLElement) field.focus();
    return undefined;
  };
  return {
    names,
    given,
    onGive: (name, value) => {
      setGiven(new Map(given).set(name, value));
      setProblem(undefined);
    },
    problem,
    form,
    bind,
  };
}
