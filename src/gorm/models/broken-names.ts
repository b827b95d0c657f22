/** Finds names that GORM's naming strategy breaks: it treats the last byte of a Go name as a character. */
import type { GormField } from './gorm-model.ts';

export function warnBrokenColumn({ name, column, dataType }: GormField): readonly string[] {
  return column === '' && dataType !== '' ? warnBrokenName('column', name) : [];
}

export function warnBrokenName(kind: 'table' | 'column', goName: string): readonly string[] {
  if (!/[^\0-\x7f]$/.test(goName)) return [];
  const setting = kind === 'table' ? 'a TableName method' : 'the setting "column"';
  return [
    `GORM breaks the ${kind} name of ${goName}, because its last letter is not ASCII, and most databases then reject it; ${setting} would give the name that was used here.`,
  ];
}
