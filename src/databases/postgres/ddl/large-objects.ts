/** Large objects, which pg_dump writes as calls of functions. */
import { membersNamed, stringsOf } from './tree-names.ts';
import type { Node } from 'libpg-query';
import type { StatementContext } from './statement-context.ts';

const functions: ReadonlySet<string> = new Set([
  'lo_create',
  'lo_creat',
  'lo_open',
  'lowrite',
  'lo_lseek64',
  'lo_lseek',
  'lo_close',
  'lo_from_bytea',
  'lo_put',
  'lo_unlink',
]);

const warning = 'Large objects are left out: columns of type oid keep their numbers.';

/** Returns whether the statement is about large objects. One warning names all of them. */
export function readLargeObjects({ parsed: { node }, draft }: StatementContext): boolean {
  if (!isOfLargeObject(node)) return false;
  if (!draft.warnings.includes(warning)) draft.warnings.push(warning);
  return true;
}

function isOfLargeObject(node: Node): boolean {
  if ('CommentStmt' in node) return node.CommentStmt.objtype === 'OBJECT_LARGEOBJECT';
  if ('AlterOwnerStmt' in node) return node.AlterOwnerStmt.objectType === 'OBJECT_LARGEOBJECT';
  if ('GrantStmt' in node) return node.GrantStmt.objtype === 'OBJECT_LARGEOBJECT';
  if (!('SelectStmt' in node)) return false;
  const { targetList = [], fromClause = [] } = node.SelectStmt;
  const calls = membersNamed('funcname', targetList) as readonly (readonly Node[])[];
  return (
    fromClause.length === 0 &&
    calls.length > 0 &&
    calls.every((names) => functions.has(stringsOf(names).at(-1) ?? ''))
  );
}
