/** System-versioned tables and periods of MariaDB: https://mariadb.com/kb/en/temporal-tables/ */
import { StudioError } from '../../../model/errors.ts';

/** The value of the table option `temporal`. */
export const systemVersioning = 'SYSTEM VERSIONING';

/** The expressions of the columns of the period SYSTEM_TIME. */
const rowTime = /^ROW (?:START|END)$/i;

export function isRowTime(expression: string): boolean {
  return rowTime.test(expression);
}

function quoted(name: string): string {
  return `\`${name.replaceAll('`', '``')}\``;
}

/** `name` is undefined for SYSTEM_TIME. */
export function periodClause(
  name: string | undefined,
  [start, end]: readonly [string, string],
): string {
  const period = name === undefined ? 'SYSTEM_TIME' : quoted(name);
  return `PERIOD FOR ${period} (${quoted(start)}, ${quoted(end)})`;
}

export interface PeriodKey {
  /** The last one is the name of the period. */
  readonly columns: readonly string[];
  readonly isPrimary?: boolean;
  readonly name?: string | undefined;
}

export function periodKeyClause({ columns, isPrimary = false, name }: PeriodKey): string {
  const kind = isPrimary ? 'PRIMARY' : 'UNIQUE';
  const nameText = name === undefined ? '' : ` ${quoted(name)}`;
  return `${kind} KEY${nameText} (${columns.map(quoted).join(', ')} WITHOUT OVERLAPS)`;
}

const name = '`(?:[^`]|``)+`';
const period = String.raw`PERIOD FOR (?:SYSTEM_TIME|${name}) \(${name}, ${name}\)`;
const key = String.raw`(?:PRIMARY KEY|UNIQUE KEY(?: ${name})?) \(${name}(?:, ${name})* WITHOUT OVERLAPS\)`;
const periodConstraints = new RegExp(`^(?:${period}|${key})(?:,\\s+(?:${period}|${key}))*$`);

/** Options in an imported file are untrusted, so the text must consist of such clauses only. */
export function temporalConstraints({
  constraints = '',
}: Readonly<Record<string, string>>): string {
  if (constraints === '' || periodConstraints.test(constraints)) return constraints;
  throw rejectedOption('constraints', 'periods and keys WITHOUT OVERLAPS', constraints);
}

/** The option after the body. */
export function versioningClause({ temporal }: Readonly<Record<string, string>>): string {
  if (temporal === undefined) return '';
  if (temporal === systemVersioning) return `WITH ${systemVersioning}`;
  throw rejectedOption('temporal', systemVersioning, temporal);
}

function rejectedOption(option: string, expected: string, value: string): StudioError {
  const message = `The table option "${option}" must be ${expected}, not ${JSON.stringify(value)}.`;
  return new StudioError('import_failed', message, {
    errors: [{ code: 'statement_refused', message }],
  });
}
