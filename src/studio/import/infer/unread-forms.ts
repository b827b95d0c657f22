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

const day = '(?:0?[1-9]|[12][0-9]|3[01])';
const month = String.raw`(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?`;
const time = String.raw`(?:[ T,]{1,2}\d{1,2}:\d\d(?::\d\d(?:\.\d+)?)?(?: ?[ap]m)?)?`;

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
  {
    description: 'numbers with commas between lakhs and crores',
    advice: 'without the commas they are imported as numbers',
    pattern: /^[+-]?\d{1,2}(?:,\d\d)+,\d{3}(?:\.\d+)?$/,
    others: /^[+-]?\d{1,3}(?:,\d{3})?(?:\.\d+)?$/,
  },
  {
    description: 'dates with the name of the month',
    advice: 'with numbers only (2024-01-31) they are imported as dates',
    pattern: new RegExp(
      // Other languages have other names, which only hyphens show to be of months.
      String.raw`^(?:${day}[ .]{1,2}${month}[ ,]{1,2}|${day}-\p{L}{3,4}\.?-|${month} ${day},? )(?:\d\d){1,2}${time}$`,
      'iu',
    ),
  },
  {
    description: 'dates with two digits of the year',
    advice: 'with four digits they are imported as dates',
    pattern: new RegExp(String.raw`^${day}([/.-])${day}\1\d\d${time}$`, 'i'),
  },
  {
    description: 'formulas that spreadsheets show as text',
    advice: 'without the equals sign and the quotes the text alone is imported',
    pattern: /^="[^"]*"$/,
  },
];

/** What all values of a column so far have in common. */
export interface FormSearch {
  candidates: readonly Candidate[];
}

/** A form that all values may have. */
interface Candidate {
  readonly form: UnreadForm;
  /** The first value that has the form, not only one that may be among them. */
  readonly first: LocatedText | undefined;
}

export function createFormSearch(): FormSearch {
  return { candidates: allForms };
}

const allForms = unreadForms.map((form) => ({ form, first: undefined }));

export function searchForm(search: FormSearch, value: LocatedText): void {
  if (search.candidates.length === 0) return;
  search.candidates = search.candidates.flatMap((candidate) => {
    const { form, first } = candidate;
    if (form.pattern.test(value.text))
      return [first === undefined ? { form, first: value } : candidate];
    return form.others?.test(value.text) === true ? [candidate] : [];
  });
}

/** Why a column with such values is text. Undefined if they have no such form in common. */
export function formReason({ candidates }: FormSearch): string | undefined {
  for (const { form, first } of candidates)
    if (first !== undefined)
      return `its values are ${form.description}, such as ${JSON.stringify(first.text)} in line ${first.line}; ${form.advice}.`;
  return undefined;
}
