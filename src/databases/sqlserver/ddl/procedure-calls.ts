/** Reads calls of the procedures that change tables: comments and names. */
import {
  isNext,
  openCursor,
  parseQualifiedName,
  skipTo,
  textBetween,
  unexpected,
  wordAt,
} from '../../../sql/ddl/cursor.ts';
import {
  hasColumn,
  hasConstraint,
  renameColumn,
  renameConstraint,
  renameTable,
} from '../../../sql/ddl/change-table.ts';
import { changeTable, findTable, nameOfTable } from '../../../sql/ddl/draft.ts';
import { warnOmitted } from '../../../sql/ddl/warn-omitted.ts';
import { renameColumnInDefaults, renameInDefaults } from './script-run.ts';
import { propertyParameters, setComment } from './extended-property.ts';
import { parseArguments } from './procedure-arguments.ts';
import { parseType } from './parse-type.ts';
import { systemNameParts } from './text-value.ts';
import type { Cursor } from '../../../sql/ddl/cursor.ts';
import type { DdlRules } from '../../../sql/ddl/ddl-rules.ts';
import type { SchemaDraft, TableReference } from '../../../sql/ddl/draft.ts';
import type { StatementOutcome } from '../../../sql/ddl/read-script.ts';
import type { ScriptStatement } from '../../../sql/ddl/script-statement.ts';
import type { ScriptRun } from './script-run.ts';

export interface ProcedureCall {
  readonly statement: ScriptStatement;
  /** Positioned after EXEC. */
  readonly cursor: Cursor;
  readonly draft: SchemaDraft;
  readonly rules: DdlRules;
  readonly run: ScriptRun;
}

/** Calls of other procedures are left out with a warning. */
export function readProcedureCall(call: ProcedureCall): StatementOutcome {
  const { statement, cursor, draft, rules, run } = call;
  const { variables } = run;
  if (isNext(cursor, 'AS')) {
    warnOmitted(statement, draft);
    return 'left out';
  }
  const isVariable = (): boolean => cursor.code[cursor.at]?.kind === 'variable';
  if (isVariable() && wordAt(cursor, 1) === '=') cursor.at += 2;
  const from = cursor.at;
  const parts = isVariable() ? [] : parseQualifiedName(cursor, 'a procedure');
  const procedure = parts.at(-1)?.toLowerCase();
  if (procedure === 'sp_addextendedproperty' || procedure === 'sp_updateextendedproperty') {
    const callArguments = parseArguments(cursor, propertyParameters, variables);
    const skipped = setComment(callArguments, draft, rules);
    if (skipped !== undefined) warnOmitted(statement, draft, skipped);
    return true;
  }
  if (procedure === 'sp_rename') {
    const callArguments = parseArguments(cursor, ['@objname', '@newname', '@objtype'], variables);
    const names = { from: callArguments.get('@objname'), to: callArguments.get('@newname') };
    if (names.from === undefined || names.to === undefined)
      throw unexpected(cursor, 'the old and the new name');
    if (!rename(call, { from: names.from, to: names.to, kind: callArguments.get('@objtype') }))
      warnOmitted(statement, draft, `the renaming of ${names.from} to ${names.to}`);
    return true;
  }
  if (procedure === 'sp_addtype') {
    addType(call);
    return true;
  }
  const name = textBetween(cursor, from, Math.max(cursor.at, from + 1));
  warnOmitted(statement, draft, `the call of ${name}`);
  return 'left out';
}

/** `sp_addtype name, 'varchar(11)', 'NOT NULL'`, the older CREATE TYPE */
function addType({ statement, cursor, draft, run }: ProcedureCall): void {
  const {
    variables,
    objects: { aliases },
  } = run;
  const from = cursor.at;
  const callArguments = parseArguments(cursor, ['@typename', '@phystype', '@nulltype'], variables);
  const name = callArguments.get('@typename');
  const text = callArguments.get('@phystype');
  if (name === undefined || text === undefined)
    throw unexpected({ ...cursor, at: from }, 'the name and the type');
  const inner = openCursor({ text, start: statement.start }, cursor.lexical);
  const type = parseType(inner, aliases);
  const nullable = callArguments.get('@nulltype')?.toUpperCase() !== 'NOT NULL';
  aliases.set(name.toLowerCase(), { ...type, column: { nullable } });
  warnOmitted(statement, draft, `the type ${name}, whose columns are ${type.nativeType},`);
}

interface Renaming {
  readonly from: string;
  readonly to: string;
  /** COLUMN, INDEX, OBJECT or absent. */
  readonly kind: string | undefined;
}

/** Returns whether the file has created the object. */
function rename(
  { draft, rules, cursor, run }: ProcedureCall,
  { from, to, kind = 'OBJECT' }: Renaming,
): boolean {
  const at = cursor.offset;
  const parts = systemNameParts(from);
  const name = parts?.at(-1);
  if (parts === undefined || name === undefined) return false;
  const owner = parts.length > 1 ? rules.tableReference(parts.slice(0, -1)) : undefined;
  const table = owner === undefined ? undefined : findTable(draft, owner);
  switch (kind.toUpperCase()) {
    case 'COLUMN':
      if (owner === undefined || table === undefined || !hasColumn(table, name)) return false;
      renameColumn(draft, owner, { from: name, to, at });
      renameColumnInDefaults(run, owner, { from: name, to });
      return true;
    case 'INDEX':
      if (owner === undefined || table === undefined || !hasConstraint(table, name)) return false;
      return changeTable(draft, owner, (each) => renameConstraint(each, { from: name, to }));
    case 'OBJECT':
      return renameObject(run, rules.tableReference(parts), { to, at });
    default:
      return false;
  }
}

/** Renames a table, or else a constraint, which is an object of the same schema. */
function renameObject(
  run: ScriptRun,
  reference: TableReference,
  { to, at }: { readonly to: string; readonly at: number },
): boolean {
  const { draft } = run.script;
  if (findTable(draft, reference) !== undefined) {
    const renamed = { ...reference, localName: to };
    renameTable(draft, { from: reference, to: renamed, at });
    renameInDefaults(run, reference, renamed);
    return true;
  }
  const { localName: from, namespace } = reference;
  const owner = [...draft.tables.values()].find(
    ({ table }) => table.namespace === namespace && hasConstraint(table, from),
  )?.table;
  if (owner === undefined) return false;
  const { localName } = owner;
  const ownerReference = namespace === undefined ? { localName } : { localName, namespace };
  return changeTable(draft, ownerReference, (each) => renameConstraint(each, { from, to }));
}

/** `ALTER SCHEMA sales TRANSFER [OBJECT::]dbo.orders`, after SCHEMA. Returns whether the file has created the table. */
export function transferTable(cursor: Cursor, draft: SchemaDraft, rules: DdlRules): boolean {
  const [namespace = ''] = parseQualifiedName(cursor, 'a schema');
  skipTo(cursor, ['TRANSFER']);
  cursor.at += 1;
  if (isNext(cursor, 'OBJECT', '::')) cursor.at += 2;
  if (wordAt(cursor, 1) === '::') return false;
  const from = rules.tableReference(parseQualifiedName(cursor, 'a table'));
  if (findTable(draft, from) === undefined) return false;
  const to = rules.tableReference([namespace, from.localName]);
  if (nameOfTable(to) !== nameOfTable(from)) renameTable(draft, { from, to, at: cursor.offset });
  return true;
}
