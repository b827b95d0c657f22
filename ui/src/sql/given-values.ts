/** What was typed for a parameter, and as what it is sent. */
export interface GivenValue {
  readonly text: string;
  /** Undefined until it is chosen: what looks like a number is one. */
  readonly kind?: ValueKind | undefined;
}

export const valueKinds = [
  ['text', 'Text'],
  ['number', 'Number'],
  ['null', 'NULL'],
] as const;

export type ValueKind = (typeof valueKinds)[number][0];

export type GivenValues = ReadonlyMap<string, GivenValue>;

const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

export function kindOf({ text, kind }: GivenValue): ValueKind {
  return kind ?? (jsonNumber.test(text) ? 'number' : 'text');
}

/** Why it cannot be sent as it is. */
export function missingReason(name: string, given: GivenValue | undefined): string | undefined {
  if (given === undefined || (given.text === '' && given.kind === undefined))
    return `${name} has no value yet.`;
  const isNumber = kindOf(given) !== 'number' || jsonNumber.test(given.text);
  return isNumber
    ? undefined
    : `${name}: ${given.text === '' ? 'nothing' : given.text} is no number.`;
}

/** As JSON, numbers with all their digits. */
export function valuesText(names: readonly string[], given: GivenValues): string {
  return `[${names.map((name) => valueText(given.get(name) ?? { text: '' })).join()}]`;
}

function valueText(given: GivenValue): string {
  const kind = kindOf(given);
  if (kind === 'null') return 'null';
  return kind === 'number' ? given.text : JSON.stringify(given.text);
}
