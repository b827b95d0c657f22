import type { Column } from '../../../model/schema.ts';
import type { DataScriptRules } from '../../../sql/data-script.ts';
import type { ImportContext, Warning } from '../../row-import.ts';
import type { SqlValue } from '../values/literals.ts';
import type { ScriptSession } from '../script/session.ts';

interface KeyContext {
  readonly session: ScriptSession;
  readonly dataScript: DataScriptRules;
  readonly context: ImportContext;
}

/** Whether a field stands for the default of its column: DEFAULT, and 0 where it stands for the next number. */
export function createDefaultTest({
  session,
  dataScript: { zeroIsNextNumber },
  context,
}: KeyContext): (field: SqlValue, column: Column | undefined) => boolean {
  return (field, column) => {
    if (field.kind === 'default') return true;
    if (!zeroIsNextNumber || column?.autoIncrement !== true || !isZero(field)) return false;
    if (session.settings.keepsZero === true) return false;
    context.warn(numberedZeros);
    return true;
  };
}

function isZero(field: SqlValue): boolean {
  const text = field.kind === 'number' ? field.digits : field.kind === 'text' ? field.raw : '';
  return /^[+-]?0+(?:\.0*)?$/.test(text);
}

const numberedZeros: Warning = () =>
  'Keys of 0 become the next number of their AUTO_INCREMENT column, because the file does not set sql_mode to NO_AUTO_VALUE_ON_ZERO before.';
