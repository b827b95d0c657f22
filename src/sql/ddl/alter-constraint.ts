import { DdlError, accept, acceptOne, offsetOf, parseName, unexpected } from './cursor.ts';
import { isSameName } from './change-table.ts';
import { changeTable, findTable } from './draft.ts';
import type { Cursor } from './cursor.ts';
import type { SchemaDraft, TableReference } from './draft.ts';

interface AlteredTable {
  readonly cursor: Cursor;
  readonly draft: SchemaDraft;
  readonly reference: TableReference;
}

/** MySQL: makes an index visible or invisible to the optimizer, or enforces a check or not. */
export function alterConstraint(alteration: AlteredTable): void {
  const { cursor, draft, reference } = alteration;
  const mayBeMissing = accept(cursor, 'IF', 'EXISTS');
  const at = offsetOf(cursor);
  const name = parseName(cursor, 'a name');
  const isNot = accept(cursor, 'NOT');
  const states = ['IGNORED', 'ENFORCED', ...(isNot ? [] : ['VISIBLE', 'INVISIBLE'])];
  const state = acceptOne(cursor, states);
  if (state === undefined) throw unexpected(cursor, states.join(', '));
  const old = findTable(draft, reference);
  const candidates = state === 'ENFORCED' ? old?.checks : old?.indexes;
  if (!mayBeMissing && candidates?.some((each) => isSameName(each.name, name)) !== true)
    throw new DdlError(`The file does not create ${name} in ${reference.localName}.`, at);
  const isInvisible = state === 'INVISIBLE' || (state === 'IGNORED' && !isNot);
  changeTable(draft, reference, (table) => ({
    ...table,
    checks: table.checks.map((check) => {
      if (state !== 'ENFORCED' || !isSameName(check.name, name)) return check;
      const { enforced: _old, ...rest } = check;
      return isNot ? { ...rest, enforced: false } : rest;
    }),
    indexes: table.indexes.map((index) => {
      if (state === 'ENFORCED' || !isSameName(index.name, name)) return index;
      const { invisible: _old, ...rest } = index;
      return isInvisible ? { ...rest, invisible: true } : rest;
    }),
  }));
}
