/** What the inferred types of columns change or guess, in sentences for the user. */
import { byColumnsAdvice } from '../../../formats/json-rows.ts';
import { shortText } from '../../../model/values/cut-text.ts';
import { isNumberKind } from '../../../portable/cells/value-kind.ts';
import { hasDecimalTexts, mayHaveGroups } from '../../../portable/cells/unclear-points.ts';
import { formReason } from './unread-forms.ts';
import { firstZonedYear, typeOf, valueOutOfZonedYears } from './column-type.ts';
import { findExceptions } from '../../../portable/cells/value-classes.ts';
import type { DdlDialect } from '../../../model/ddl-dialect.ts';
import type { CellFormat } from '../../../portable/cells/cell-format.ts';
import type { ColumnProfile } from '../../../portable/cells/column-profile.ts';
import type { LocalProfile } from '../../../portable/cells/local-profile.ts';
import type { LocatedText, ValueClass } from '../../../portable/cells/value-classes.ts';
import type { TableSurvey } from './survey-file.ts';

type FoundFormat = Pick<
  CellFormat,
  'decimal' | 'isDecimalRequested' | 'dateOrder' | 'hasUnclearPoints'
>;

/**
 * One sentence for a table that is written by columns, and for each column that becomes text because of a format that the file does not show or of
 * a few exceptions or of values that no type keeps, or whose numbers lose the sign of a zero.
 */
export function columnWarnings(
  surveys: readonly TableSurvey[],
  format: FoundFormat,
  ddl: DdlDialect,
): readonly string[] {
  return surveys.flatMap((survey) => [
    ...transposedWarning(survey),
    ...[...survey.columns].flatMap(([name, { profile, search }]) => {
      const ofForm = profile.kind === 'text' ? formReason(search) : undefined;
      const reason = ofForm ?? textReason(profile, format) ?? typeReason(profile, format, ddl);
      if (reason !== undefined) return [`Column "${name}" becomes text, because ${reason}`];
      const zeros = zeroWarning(profile);
      return zeros === undefined ? [] : [`Column "${name}": ${zeros}`];
    }),
  ]);
}

/** Some programs write JSON by columns: one object with an array of all values of each column. */
function transposedWarning({ source, columns, rows }: TableSurvey): readonly string[] {
  const firsts = [...columns.values()].map(
    ({ profile }) => profile.classes?.byClass.get('JSON value')?.first.text,
  );
  if (rows !== 1 || firsts.length < 2 || !firsts.every((text) => text?.startsWith('['))) return [];
  return [
    `The only row of ${JSON.stringify(source)} has an array in each column. ${byColumnsAdvice}`,
  ];
}

function textReason(profile: ColumnProfile, format: FoundFormat): string | undefined {
  const { local } = profile;
  if (mayHaveGroups(profile, format))
    return 'its points can be decimal points or between thousands; set decimal.';
  if (local !== undefined && local !== null) return formatReason(local.notation, format);
  return profile.kind === 'text' ? exceptionReason(profile) : undefined;
}

/** The values are of one kind, but the database would change some of them. */
function typeReason(
  profile: ColumnProfile,
  format: FoundFormat,
  ddl: DdlDialect,
): string | undefined {
  const { kind, local } = profile;
  if (kind === undefined || kind === 'text' || (local !== undefined && local !== null))
    return undefined;
  if (typeOf(profile, format, ddl).kind !== 'text') return undefined;
  if (format.decimal === 'comma' && hasDecimalTexts(profile))
    return 'its points are not decimal points like those of the file.';
  const outside = kind === 'zoned timestamp' ? valueOutOfZonedYears(profile, ddl) : undefined;
  if (outside !== undefined)
    return `${located(outside)} is not between the years ${firstZonedYear} and ${ddl.columnSupport.lastZonedYear}, in which the database has timestamps with a time zone.`;
  return isNumberKind(kind)
    ? 'no type of numbers in the database keeps all digits of its values.'
    : 'no type of dates and times in the database keeps all of its values.';
}

function formatReason(
  notation: LocalProfile,
  { decimal, dateOrder }: FoundFormat,
): string | undefined {
  if (notation.kind === 'number' && notation.hasComma && decimal === 'ambiguous')
    return 'its commas can be decimal commas or between thousands; set decimal.';
  const isUnclear =
    notation.kind === 'date' && dateOrder === 'ambiguous' && !notation.orders.has('YMD');
  if (!isUnclear) return undefined;
  const [order, other] = notation.orders;
  return other === undefined
    ? `its dates are only days in the order ${order}, those of another column only in another one, and date_order applies to the whole file.`
    : 'its dates can be read in several orders; set date_order to DMY or MDY.';
}

function exceptionReason({ classes }: ColumnProfile): string | undefined {
  const exceptions = classes === null ? undefined : findExceptions(classes);
  if (exceptions === undefined) return undefined;
  const { valueClass, others, first, count, markers } = exceptions;
  const more = count === 1 ? '' : ` and ${count - 1} other ${count === 2 ? 'value' : 'values'}`;
  const like = `like the other ${others} values`;
  if (valueClass === 'number' && isNumeric(first.text))
    return `${located(first)}${more} would lose characters as a number ${like}.`;
  const verb = count === 1 ? `is not a ${valueClass}` : `are not ${plurals[valueClass]}`;
  return `${located(first)}${more} ${verb} ${like}${markerAdvice(markers)}.`;
}

/** An import reads one text as NULL. */
function markerAdvice([marker, ...others]: readonly string[]): string {
  if (marker === undefined) return '';
  if (others.length === 0) return `; if "${marker}" means that there is no value, set null_text`;
  const texts = [marker, ...others].map((each) => `"${each}"`).join(', ');
  return `; they seem to mean that there is no value, but null_text is one text, not ${texts}`;
}

/** Whether a text is a number apart from characters that no database keeps, such as leading zeros. */
function isNumeric(text: string): boolean {
  return text.trim() !== '' && Number.isFinite(Number(text));
}

const plurals: Readonly<Record<ValueClass, string>> = {
  number: 'numbers',
  'truth value': 'truth values',
  date: 'dates',
  timestamp: 'timestamps',
  'timestamp with a time zone': 'timestamps with a time zone',
  time: 'times',
  UUID: 'UUIDs',
  'JSON value': 'JSON values',
  'binary value': 'binary values',
  text: 'texts',
};

function zeroWarning({ kind, negativeZeros }: ColumnProfile): string | undefined {
  if (negativeZeros === undefined || !isNumberKind(kind)) return undefined;
  const { first, count } = negativeZeros;
  const more = count === 1 ? '' : ` and ${count - 1} more`;
  return `the zero of ${located(first)}${more} loses its sign, unless the type of the column has a negative zero.`;
}

function located({ text, line }: LocatedText): string {
  return `${JSON.stringify(shortText(text))} in line ${line}`;
}
