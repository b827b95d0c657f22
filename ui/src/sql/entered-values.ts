import { sqlTexts as texts } from '../texts/sql.ts';
import { commonTexts } from '../texts/common.ts';

/** The typed text of a parameter, and the type in which it is sent. */
export interface ParameterValue {
  readonly text: string;
  /** Undefined until the user selects a type. A text that looks like a number is then sent as one. */
  readonly kind?: ValueKind | undefined;
}

export const valueKinds = [
  ['text', texts.text],
  ['number', texts.number],
  ['null', commonTexts.nullValue],
] as const;

export type ValueKind = (typeof valueKinds)[number][0];

export type ParameterValues = ReadonlyMap<string, ParameterValue>;

const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

export function kindOf({ text, kind }: ParameterValue): ValueKind {
  return kind ?? (jsonNumber.test(text) ? 'number' : 'text');
}

/** Why a value cannot be sent: it is missing, or not valid for its type. */
export function invalidReason(
  name: string,
  enteredValue: ParameterValue | undefined,
): string | undefined {
  if (enteredValue === undefined || (enteredValue.text === '' && enteredValue.kind === undefined))
    return texts.enterValue({ name });
  const isNumber = kindOf(enteredValue) !== 'number' || jsonNumber.test(enteredValue.text);
  if (isNumber) return undefined;
  return enteredValue.text === ''
    ? texts.enterNumber({ name })
    : texts.notNumber({ name, text: enteredValue.text });
}

/** The value as JSON text. Numbers keep all their digits. */
export function valuesText(names: readonly string[], enteredValues: ParameterValues): string {
  return `[${names.map((name) => valueText(enteredValues.get(name) ?? { text: '' })).join()}]`;
}

function valueText(enteredValue: ParameterValue): string {
  const kind = kindOf(enteredValue);
  if (kind === 'null') return 'null';
  return kind === 'number' ? enteredValue.text : JSON.stringify(enteredValue.text);
}
