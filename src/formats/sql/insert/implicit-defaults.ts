/**
 * What MySQL and MariaDB store without the strict mode where a column has no value.
 * Source: https://dev.mysql.com/doc/refman/9.4/en/data-type-defaults.html#data-type-defaults-implicit
 */
import { mustHaveValue } from '../../../model/must-have-value.ts';
import type { Column, ColumnKind, ColumnType } from '../../../model/schema.ts';
import type { ImportContext, Warning } from '../../row-import.ts';
import type { Value } from '../../../model/values.ts';
import type { SqlValue } from '../values/literals.ts';
import type { ScriptSession } from '../script/session.ts';

export interface ImplicitDefaults {
  /** The value of a column that a statement leaves out; undefined if its own default applies. */
  ofOmitted(this: void, column: Column): SqlValue | undefined;
  /** A reader of the column that takes an empty text for 0 where the script may store it so. */
  withEmptyTexts(
    this: void,
    column: Column,
    read: (field: SqlValue) => Value,
  ): (field: SqlValue) => Value;
}

/** Warns of each value that it adds. The settings are those at the time of the statement. */
export function createImplicitDefaults(
  session: Pick<ScriptSession, 'settings'>,
  context: Pick<ImportContext, 'warn'>,
): ImplicitDefaults {
  const isOn = (): boolean => session.settings.storesImplicitDefaults === true;
  const omitted = warningsOfColumns(
    (name) => `The script gives "${name}" no value, and stores the implicit default of its type`,
  );
  const empty = warningsOfColumns((name) => `Empty texts for "${name}" become 0`);
  return {
    ofOmitted: (column) => {
      if (!isOn() || !mustHaveValue(column)) return undefined;
      const value = implicitDefault(column.fileType ?? column.type);
      if (value !== undefined) context.warn(omitted(column));
      return value;
    },
    withEmptyTexts: (column, read) => {
      const { kind } = column.fileType ?? column.type;
      if (!numeric.has(kind)) return read;
      return (field) => {
        if (!isOn() || field.kind !== 'text' || field.raw !== '') return read(field);
        context.warn(empty(column));
        return read({ kind: 'number', digits: '0' });
      };
    },
  };
}

const numeric: ReadonlySet<ColumnKind> = new Set(['integer', 'decimal', 'float', 'boolean']);

/** Undefined for types without one, such as JSON and geometry. */
function implicitDefault(type: ColumnType): SqlValue | undefined {
  if (numeric.has(type.kind)) return { kind: 'number', digits: '0' };
  const text = type.kind === 'enum' ? type.values[0] : texts[type.kind];
  return text === undefined
    ? undefined
    : { kind: 'text', raw: Buffer.from(text).toString('latin1') };
}

const texts: Partial<Record<ColumnKind, string>> = {
  text: '',
  binary: '',
  set: '',
  date: '0000-00-00',
  timestamp: '0000-00-00 00:00:00',
  time: '00:00:00',
};

/** A warning is counted by its function, so each column has its own. */
function warningsOfColumns(sentence: (name: string) => string): (column: Column) => Warning {
  const warnings = new Map<Column, Warning>();
  return (column) => {
    const text = `${sentence(column.name)}, as its sql_mode is not strict.`;
    const warning = warnings.get(column) ?? (() => text);
    warnings.set(column, warning);
    return warning;
  };
}
