/**
 * Constraints with NOT VALID, which rows of a dump may break. They are programs that come after the rows,
 * because a constraint that is part of the table checks every row.
 */
import { nameOfTable } from '../../../sql/ddl/draft.ts';
import { postgresQuoteName } from '../dialect/quote.ts';
import { sessionOf } from './program-session.ts';
import { expressionUntil } from './slice.ts';
import { stringsOf } from './tree-names.ts';
import type { Constraint } from 'libpg-query';
import type { SchemaDraft, TableReference } from '../../../sql/ddl/draft.ts';
import type { TreeContext } from './read-table-tree.ts';

export interface UnvalidatedContext extends TreeContext {
  readonly draft: SchemaDraft;
  readonly reference: TableReference;
  readonly line: number;
  /** By the key of the program: adds the constraint to its table instead. */
  readonly unvalidated: Map<string, () => void>;
}

/** `add` adds the constraint to the table. */
export function addUnvalidated(
  constraint: Constraint,
  { draft, reference, line, unvalidated, parsed, namespaces }: UnvalidatedContext,
  add: () => void,
): void {
  const { conname, location, keys, fk_attrs } = constraint;
  const columns = stringsOf(fk_attrs ?? keys).join(', ');
  const name = conname ?? (columns === '' ? 'without a name' : `(${columns})`);
  const key = keyOf(reference, name);
  const { localName, namespace = namespaces.home } = reference;
  const table = [namespace, localName].map(postgresQuoteName).join('.');
  const written = expressionUntil(parsed.cursor, parsed.tokenAt(location), []);
  draft.programs.push({
    kind: 'NOT VALID constraint',
    isStructure: true,
    name: `${name} of ${nameOfTable(reference)}`,
    key,
    needs: [],
    line,
    stage: 'after rows',
    text: `ALTER TABLE ${table} ADD ${written}`,
    // A table with checks that the end of the transaction would make cannot be altered.
    session: sessionOf(namespaces, ['SET CONSTRAINTS ALL IMMEDIATE']),
  });
  unvalidated.set(key, add);
}

/** VALIDATE CONSTRAINT: it becomes part of its table. */
export function validateConstraint(name: string, context: UnvalidatedContext): void {
  const add = removeUnvalidated(name, context);
  add?.();
}

/** Returns what adds it to its table; undefined if the script has no such constraint. */
export function removeUnvalidated(
  name: string,
  { draft, reference, unvalidated }: UnvalidatedContext,
): (() => void) | undefined {
  const key = keyOf(reference, name);
  const add = unvalidated.get(key);
  unvalidated.delete(key);
  const at = draft.programs.findIndex((program) => program.key === key);
  if (add !== undefined && at >= 0) draft.programs.splice(at, 1);
  return add;
}

function keyOf(reference: TableReference, name: string): string {
  return JSON.stringify(['constraint', name, nameOfTable(reference)]);
}
