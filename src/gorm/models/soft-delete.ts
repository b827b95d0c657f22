import { withoutPointers } from '../go/program/types.ts';
import { parseSettings } from './tags.ts';
import type { SoftDelete } from '../../model/schema.ts';
import type { GoType } from '../go/program/types.ts';
import type { GormField, GormModel } from './gorm-model.ts';

/** Finds the column that marks deleted rows by the type of its field. The first one counts. */
export function softDeleteOf(model: GormModel): SoftDelete | undefined {
  for (const column of model.columns) {
    const field = model.byColumn.get(column);
    const mode = field === undefined ? undefined : modeOf(field);
    if (mode !== undefined) return { column, mode };
  }
  return undefined;
}

function modeOf(field: GormField): SoftDelete['mode'] | undefined {
  const type = withoutPointers(field.type);
  if (isDeletedAt(type, 'gorm')) return 'time';
  return isDeletedAt(type, 'soft_delete') ? pluginMode(field) : undefined;
}

function isDeletedAt(type: GoType, packageName: string): boolean {
  return type.form === 'named' && type.name === 'DeletedAt' && type.packageName === packageName;
}

/** `softDelete:flag`, `milli` or `nano`. Seconds by default. */
function pluginMode({ settings }: GormField): SoftDelete['mode'] {
  const softDeleteSettings = parseSettings(settings.get('SOFTDELETE') ?? '', ',');
  const isSet = (name: string): boolean => (softDeleteSettings.get(name) ?? '') !== '';
  if (isSet('FLAG')) return 'flag';
  if (isSet('NANO')) return 'unix_nanoseconds';
  return isSet('MILLI') ? 'unix_milliseconds' : 'unix_seconds';
}
