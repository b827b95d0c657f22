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
  entered: ParameterValue | undefined,
): string | undefined {
  if (entered === undefined || (entered.text === '' && entered.kind === undefined))
    return texts.enterValue({ name });
  const isNumber = kindOf(entered) !== 'number' || jsonNumber.test(entered.text);
  if (isNumber) return undefined;
  return entered.text === ''
    ? texts.enterNumber({ name })
    : texts.notNumber({ name, text: entered.text });
}

/** The value as JSON text. Numbers keep all their digits. */
export function valuesText(names: readonly string[], entered: ParameterValues): string {
  return `[${names.map((name) => valueText(entered.get(name) ?? { text: '' })).join()}]`;
}

function valueText(entered: ParameterValue): string {
  const kind = kindOf(entered);
  if (kind === 'null') return 'null';
  return kind === 'number' ? entered.text : JSON.stringify(entered.text);
}
