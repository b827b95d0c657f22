import type { GormDefault } from '../gorm-dialect.ts';

const timeFormats: readonly RegExp[] = [
  /^(?<year>\d{4})$/,
  /^(?<year>\d{4})-(?<month>\d{1,2})(?:-(?<day>\d{1,2})(?: (?<hour>\d{1,2})(?::(?<minute>\d{1,2})(?::(?<second>\d{1,2})(?<fraction>\.\d+)?)?)?)?)?$/,
  /^(?<year>\d{4})-(?<month>\d{2})-(?<day>\d{2})T(?<hour>\d{2}):(?<minute>\d{2}):(?<second>\d{2})(?<fraction>\.\d+)?(?:Z|[+-]\d{2}:?(?:\d{2})?)$/,
  /^(?<year>\d{4})\.(?<month>\d{1,2})\.(?<day>\d{1,2})(?: (?<hour>\d{2}):(?<minute>\d{2}):(?<second>\d{2})(?<fraction>\.\d+)?)?$/,
  /^(?<month>\d{1,2})\/(?<day>\d{1,2})\/(?<year>\d{4})(?: (?<hour>\d{1,2}):(?<minute>\d{1,2}):(?<second>\d{1,2}))?$/,
  /^(?<year>\d{4})\/(?<month>\d{2})\/(?<day>\d{2})(?: (?<hour>\d{2}):(?<minute>\d{2}):(?<second>\d{2}))?$/,
  /^(?<year>\d{4})(?<month>\d{2})(?<day>\d{2})$/,
];

/** Parses a date and time in one of GORM's formats, and formats it as GORM does. Undefined for any other text. */
export function parseTime(text: string): GormDefault | undefined {
  for (const format of timeFormats) {
    const groups = format.exec(text)?.groups;
    const value = groups === undefined ? undefined : timeText(groups);
    if (value !== undefined) return { kind: 'text', value };
  }
  return undefined;
}

function timeText(groups: Readonly<Record<string, string | undefined>>): string | undefined {
  const part = (name: string, least: string): string => (groups[name] ?? least).padStart(2, '0');
  const date = `${groups['year'] ?? ''}-${part('month', '1')}-${part('day', '1')}`;
  const clock = `${part('hour', '0')}:${part('minute', '0')}:${part('second', '0')}`;
  const at = new Date(`${date}T${clock}Z`);
  if (Number.isNaN(at.getTime()) || at.toISOString().slice(0, 10) !== date) return undefined;
  const fraction = (groups['fraction'] ?? '').slice(0, 4).replace(/\.?0*$/, '');
  return `${date} ${clock}${fraction}`;
}
