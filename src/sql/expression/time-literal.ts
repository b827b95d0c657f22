/** Converts the text of a date or time from the form of one database to that of another. */
import type { ColumnType } from '../../model/schema.ts';
import type { TimeSyntax } from './syntax.ts';

export type TimeType = Extract<ColumnType, { readonly kind: 'date' | 'time' | 'timestamp' }>;

export function isTimeType(type: ColumnType | undefined): type is TimeType {
  return type?.kind === 'date' || type?.kind === 'time' || type?.kind === 'timestamp';
}

interface Dialects {
  readonly from: TimeSyntax;
  readonly to: TimeSyntax;
}

/** The text of the same value in the other database; undefined if it depends on settings, or is not valid. */
export function convertTime(text: string, type: TimeType, dialects: Dialects): string | undefined {
  const iso = dialects.from.toIso(text.trim(), type.kind);
  const parsed = iso === undefined ? undefined : parse(iso);
  if (parsed === undefined) return undefined;
  if (type.kind === 'date')
    return parsed.day !== undefined && isMidnight(parsed) ? parsed.day : undefined;
  const clock = clockOf(parsed, type, dialects);
  if (clock === undefined) return undefined;
  const isDuration = !/^(?:[01]\d|2[0-3]):/.test(clock);
  if (isDuration && (type.kind !== 'time' || !dialects.to.takesDurations)) return undefined;
  if (type.kind === 'time') {
    const isLost = type.zone === true && !dialects.to.takesOffsets;
    return parsed.day === undefined && !isLost ? clock : undefined;
  }
  if (parsed.day === undefined) return undefined;
  const separator = dialects.to.storesTexts ? dialects.from.separator : ' ';
  return inUtc(`${parsed.day}${separator}${clock}`, dialects.to);
}

interface ParsedTime {
  readonly day: string | undefined;
  readonly clock: string | undefined;
  readonly fraction: string;
  readonly offset: string | undefined;
}

const day = String.raw`(?<day>\d{4}-\d\d-\d\d)`;
const time = String.raw`(?<clock>-?\d{2,3}:[0-5]\d)(?<seconds>:[0-5]\d)?(?:\.(?<fraction>\d{1,9}))?`;
const offset = String.raw`\s*(?<offset>Z|[+-]\d\d(?::?\d\d)?)?`;
const forms = new RegExp(`^(?:${day}|(?:${day}[T ])?${time}${offset})$`.replace('?<day>', ''), 'i');

function parse(iso: string): ParsedTime | undefined {
  const match = forms.exec(iso);
  if (match === null) return undefined;
  const { clock, seconds = ':00', fraction = '', ...groups } = match.groups ?? {};
  const date = match[1] ?? groups['day'];
  if (date !== undefined && !isDay(date)) return undefined;
  return {
    day: date,
    clock: clock === undefined ? undefined : clock + seconds,
    fraction: fraction.replace(/0+$/, ''),
    offset: groups['offset']?.toUpperCase(),
  };
}

function isDay(text: string): boolean {
  const date = new Date(`${text}T00:00:00Z`);
  return text >= '0001' && !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

function isMidnight({ clock = '00:00:00', fraction, offset: zone }: ParsedTime): boolean {
  return clock === '00:00:00' && fraction === '' && zone === undefined;
}

/** The time of day with its fraction and offset; undefined if the type does not hold all of it. */
function clockOf(
  { clock = '00:00:00', fraction, offset: zoneOffset }: ParsedTime,
  type: Exclude<TimeType, { readonly kind: 'date' }>,
  { from, to }: Dialects,
): string | undefined {
  const digits = type.precision ?? from.digits;
  if (fraction.length > digits) return undefined;
  if (zoneOffset !== undefined && type.zone !== true) return undefined;
  const isPadded = to.storesTexts && from.padsFractions;
  const shownFraction = isPadded ? fraction.padEnd(digits, '0') : fraction;
  const zone = type.zone === true ? (zoneOffset ?? from.offset ?? '') : '';
  return `${clock}${shownFraction === '' ? '' : `.${shownFraction}`}${zone}`;
}

/** Without the offset, where the database takes none: its sessions are in UTC. */
function inUtc(text: string, { takesOffsets }: TimeSyntax): string | undefined {
  const [, local = text, fraction = '', zone] =
    /^(.{19})(\.\d+)?(Z|[+-]\d\d(?::?\d\d)?)$/.exec(text) ?? [];
  if (zone === undefined || takesOffsets) return text;
  const [, sign, hours = '0', minutes = '0'] = /^([+-])(\d\d):?(\d\d)?$/.exec(zone) ?? [];
  const shift = (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -1 : 1);
  const instant = new Date(`${local.replace(' ', 'T')}Z`).getTime() - shift * 60_000;
  if (Number.isNaN(instant)) return undefined;
  return new Date(instant).toISOString().slice(0, 19).replace('T', local.charAt(10)) + fraction;
}

/** `20200102` as `2020-01-02`, with the rest of the text after it. */
export function withDashes(text: string): string {
  return text.replace(/^(\d{4})(\d\d)(\d\d)(?!\d)/, '$1-$2-$3');
}
