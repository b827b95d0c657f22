import { hasColumn, hasConstraint } from '../../../sql/ddl/change-table.ts';
import { findTable } from '../../../sql/ddl/draft.ts';
import { parseStatement } from '../language/parse-statement.ts';
import { relationOf, stringsOf } from './tree-names.ts';
import type { AlterTableStmt } from 'libpg-query';
import type { SchemaDraft } from '../../../sql/ddl/draft.ts';
import type { ScriptStatement } from '../../../sql/ddl/script-statement.ts';
import type { FileState } from './statement-context.ts';

interface File {
  readonly draft: SchemaDraft;
  readonly state: FileState;
}

/** The error of a statement that creates what the file has created already, as handlers name it. */
export function isDuplicate(statement: ScriptStatement, file: File): string | undefined {
  const { draft, state } = file;
  const node = parseStatement(statement)?.node;
  if (node === undefined) return undefined;
  if ('CreateEnumStmt' in node) return duplicateType(stringsOf(node.CreateEnumStmt.typeName), file);
  if ('CreateDomainStmt' in node)
    return duplicateType(stringsOf(node.CreateDomainStmt.domainname), file);
  if ('CompositeTypeStmt' in node)
    return duplicateType([node.CompositeTypeStmt.typevar?.relname ?? ''], file);
  if ('AlterTableStmt' in node) return duplicatePart(node.AlterTableStmt, file);
  if ('CreateStmt' in node) {
    const table = findTable(draft, relationOf(node.CreateStmt.relation, state.namespaces));
    const isAllowed = node.CreateStmt.if_not_exists === true;
    return table === undefined || isAllowed ? undefined : 'DUPLICATE_TABLE';
  }
  if (!('IndexStmt' in node) || node.IndexStmt.if_not_exists === true) return undefined;
  const table = findTable(draft, relationOf(node.IndexStmt.relation, state.namespaces));
  const exists = table !== undefined && hasConstraint(table, node.IndexStmt.idxname ?? '');
  return exists ? 'DUPLICATE_TABLE' : undefined;
}

function duplicateType(names: readonly string[], { state }: File): string | undefined {
  const name = names.at(-1) ?? '';
  const { types, otherTypes } = state;
  const exists = types.enums.has(name) || types.domains.has(name) || otherTypes.has(name);
  return exists ? 'DUPLICATE_OBJECT' : undefined;
}

/** ADD COLUMN or ADD CONSTRAINT. */
function duplicatePart(
  { relation, cmds }: AlterTableStmt,
  { draft, state }: File,
): string | undefined {
  const table = findTable(draft, relationOf(relation, state.namespaces));
  if (table === undefined) return undefined;
  for (const node of cmds ?? []) {
    const command = 'AlterTableCmd' in node ? node.AlterTableCmd : undefined;
    const def = command?.def;
    if (command === undefined || def === undefined || command.missing_ok === true) continue;
    const isConstraint = command.subtype === 'AT_AddConstraint' && 'Constraint' in def;
    if (isConstraint && hasConstraint(table, def.Constraint.conname ?? ''))
      return 'DUPLICATE_OBJECT';
    const isColumn = command.subtype === 'AT_AddColumn' && 'ColumnDef' in def;
    if (isColumn && hasColumn(table, def.ColumnDef.colname ?? '')) return 'DUPLICATE_COLUMN';
  }
  return undefined;
}
