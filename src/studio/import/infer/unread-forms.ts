/** Forms of numbers and times that no type reads, so that a column of them becomes text. */
import type { LocatedText } from '../../../portable/cells/value-classes.ts';

interface UnreadForm {
  /** What its values are, for a warning. */
  readonly description: string;
  readonly advice: string;
  readonly pattern: RegExp;
  /** Matches values that may be among them. */
  readonly others?: RegExp;
}

const number = String.raw`\d[\d.,]{0,30}`;
const blank = String.raw`[ \u00A0\u202F]?`;
/** Signs, and the codes that people write most. */
const currency = String.raw`(?:\p{Sc}|CHF|EUR|GBP|JPY|USD|kr)`;

const unreadForms: readonly UnreadForm[] = [
  {
    description: 'numbers with a percent sign',
    advice: 'without the sign they are imported as numbers',
    pattern: new RegExp(`^[+-]?${number}${blank}%$`),
  },
  {
    description: 'numbers with apostrophes between thousands',
    advice: 'without the apostrophes they are imported as numbers',
    pattern: /^[+-]?\d{1,3}(?:['\u2019]\d{3})+(?:\.\d+)?$/,
    others: /^[+-]?\d+(?:\.\d+)?$/,
  },
  {
    description: 'numbers with a currency',
    advice: 'without the currency they are imported as numbers',
    pattern: new RegExp(
      `^[+-]?${currency}${blank}[+-]?${number}$|^[+-]?${number}${blank}${currency}$`,
      'u',
    ),
  },
  {
    description: 'numbers of which the negative ones are in parentheses',
    advice: 'with a minus sign instead they are imported as numbers',
    pattern: new RegExp(`^\\(${number}\\)$`),
    others: new RegExp(`^${number}$`),
  },
  {
    description: 'numbers of which the negative ones end with a minus sign',
    advice: 'with the sign before the number they are imported as numbers',
    pattern: new RegExp(`^${number}${blank}-$`),
    others: new RegExp(`^[+-]?${number}$`),
  },
  {
    description: 'times with AM or PM',
    advice: 'with 24 hours (15:30) they are imported as times',
    pattern: /^(?:[\d./-]{6,10},? )?\d{1,2}:\d\d(?::\d\d)?[ \u00A0\u202F]?[ap]\.?m\.?$/i,
  },
];

/** What all values of a column so far have in common. */
export interface FormSearch {
  /** The forms that all values may have. */
  forms: readonly UnreadForm[];
  /** The first value that has the form, not only one that may be among them. */
  first: LocatedText | undefined;
}

export function createFormSearch(): FormSearch {
  return { forms: unreadForms, first: undefined };
}

export function searchForm(search: FormSearch, value: LocatedText): void {
  if (search.forms.length === 0) return;
  search.forms = search.forms.filter(
    ({ pattern, others }) => pattern.test(value.text) || others?.test(value.text) === true,
  );
  if (search.first === undefined && search.forms.some(({ pattern }) => pattern.test(value.text)))
    search.first = value;
}

/** Why a column with such values is text. Undefined if they have no such form in common. */
export function formReason({ forms: [form], first }: FormSearch): string | undefined {
  if (form === undefined || first === undefined) return undefined;
  const { description, advice } = form;
  return `its values are ${description}, such as ${JSON.stringify(first.text)} in line ${first.line}; ${advice}.`;
}
