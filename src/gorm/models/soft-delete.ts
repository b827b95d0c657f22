import { withoutPointers } from '../go/go-type.ts';
import { parseSettings } from './tags.ts';
import type { SoftDelete } from '../../model/schema.ts';
import type { GoType } from '../go/go-type.ts';
import type { GormField, GormModel } from './model.ts';

/** The column that marks deleted rows, by the type of its field; of several the first. */
export function softDeleteOf(model: GormModel): SoftDelete | undefined {
  for (const column of model.columns) {
    const field = model.byColumn.get(column);
    const flavour = field === undefined ? undefined : flavourOf(field);
    if (flavour !== undefined) return { column, flavour };
  }
  return undefined;
}

function flavourOf(field: GormField): SoftDelete['flavour'] | undefined {
  const type = withoutPointers(field.type);
  if (isDeletedAt(type, 'gorm')) return 'time';
  return isDeletedAt(type, 'soft_delete') ? pluginFlavour(field) : undefined;
}

function isDeletedAt(type: GoType, packageName: string): boolean {
  return type.form === 'named' && type.name === 'DeletedAt' && type.packageName === packageName;
}

/** `softDelete:flag`, `milli`, `nano`; seconds when nothing is said. */
function pluginFlavour({ settings }: GormField): SoftDelete['flavour'] {
  const told = parseSettings(settings.get('SOFTDELETE') ?? '', ',');
  const isTold = (name: string): boolean => (told.get(name) ?? '') !== '';
  if (isTold('FLAG')) return 'flag';
  if (isTold('NANO')) return 'unix_nanoseconds';
  return isTold('MILLI') ? 'unix_milliseconds' : 'unix_seconds';
}
