/** Parses DROP of ALTER TABLE. */
import {
  DdlError,
  accept,
  acceptOne,
  isNext,
  offsetOf,
  parseGroup,
  parseName,
  unexpected,
  wordAt,
} from './cursor.ts';
import {
  changeColumn,
  dropColumn,
  hasColumn,
  hasConstraint,
  withoutConstraint,
  withoutPrimaryKey,
} from './change-table.ts';
import { changeTable, findTable } from './draft.ts';
import { constraintKey } from './table-body.ts';
import type { Alteration } from './alteration.ts';
import type { Cursor } from './cursor.ts';

export function parseDrop(alteration: Alteration): void {
  const { cursor } = alteration;
  const kind = alteration.rules.continuesAdd ? 'CONSTRAINT' : 'COLUMN';
  let last = dropNext(alteration, { kind, mayBeMissing: false });
  while (dropsAnother(cursor) && accept(cursor, ',')) last = dropNext(alteration, last);
}

/** T-SQL: `DROP CONSTRAINT a, b, COLUMN c, d`. */
function dropsAnother(cursor: Cursor): boolean {
  if (wordAt(cursor) !== ',') return false;
  if (['COLUMN', 'CONSTRAINT'].includes(wordAt(cursor, 1))) return true;
  const afterName = cursor.code[cursor.at + 2];
  return (
    cursor.code[cursor.at + 1] !== undefined && (afterName === undefined || afterName.word === ',')
  );
}

/** What a DROP says of a name. It also applies to the next name of a list that does not repeat it. */
interface DropClause {
  readonly kind: string;
  /** IF EXISTS */
  readonly mayBeMissing: boolean;
}

function dropNext(alteration: Alteration, last: DropClause): DropClause {
  const { cursor, draft, reference, rules, warn } = alteration;
  // The period of a temporal table is left out of the table anyway.
  if (accept(cursor, 'PERIOD', 'FOR', 'SYSTEM_TIME')) return last;
  if (accept(cursor, 'PRIMARY', 'KEY')) {
    changeTable(draft, reference, withoutPrimaryKey);
    return last;
  }
  const kinds = accept(cursor, 'FOREIGN')
    ? ['KEY']
    : ['COLUMN', 'INDEX', 'KEY', 'CONSTRAINT', 'CHECK'];
  const namedKind = acceptOne(cursor, kinds);
  const kind = namedKind ?? last.kind;
  if (kinds.length === 1 && kind !== 'KEY') throw unexpected(cursor, 'KEY');
  const mayBeMissing =
    accept(cursor, 'IF', 'EXISTS') || (namedKind === undefined && last.mayBeMissing);
  const at = offsetOf(cursor);
  const name = parseName(cursor, 'a name');
  acceptOne(cursor, ['CASCADE', 'RESTRICT']);
  // T-SQL: WITH (ONLINE = ON)
  if (isNext(cursor, 'WITH', '(')) {
    cursor.at += 1;
    warn(`WITH (${parseGroup(cursor)}) of DROP ${kind} ${name} is left out.`);
  }
  if (kind === 'COLUMN') dropNamedColumn(alteration, { name, mayBeMissing, at });
  else if (!dropNamedDefault(alteration, name)) {
    const old = findTable(draft, reference);
    const isThere = old === undefined || hasConstraint(old, name);
    // The server may have generated the name, so a missing constraint is only a warning.
    if (!isThere && !mayBeMissing) warn(`DROP ${kind} ${name} is left out.`);
    changeTable(draft, reference, (table) => withoutConstraint(table, name));
  }
  rules.defaultNames?.delete(constraintKey(reference, name));
  return { kind, mayBeMissing };
}

interface DroppedName {
  readonly name: string;
  readonly mayBeMissing: boolean;
  readonly at: number;
}

function dropNamedColumn(
  { cursor, draft, reference, rules }: Alteration,
  { name, mayBeMissing, at }: DroppedName,
): void {
  const old = findTable(draft, reference);
  if (old !== undefined && !hasColumn(old, name) && !mayBeMissing)
    throw new DdlError(`The table ${reference.localName} has no column ${name}.`, at);
  const { lexical } = cursor;
  const { narrowsIndexes } = rules;
  dropColumn(draft, reference, { name, lexical, narrowsIndexes });
}

/** T-SQL: drops a default by the name of its constraint. */
function dropNamedDefault(alteration: Alteration, name: string): boolean {
  const { draft, reference, rules } = alteration;
  const column = rules.defaultNames?.get(constraintKey(reference, name));
  if (column === undefined) return false;
  return changeTable(draft, reference, (table) =>
    changeColumn(table, column, ({ default: _dropped, ...rest }) => rest),
  );
}
