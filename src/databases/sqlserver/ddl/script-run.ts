/** Tracks how a script runs: its objects, variables and transactions, and where RETURN ends it. */
import { wordAt, parseQualifiedName, accept, acceptOne } from '../../../sql/ddl/cursor.ts';
import { isSameName } from '../../../sql/ddl/change-table.ts';
import { findTable, findView, nameOfTable } from '../../../sql/ddl/draft.ts';
import { constraintKey } from '../../../sql/ddl/table-body.ts';
import { evaluate } from '../../../sql/ddl/guards/query.ts';
import { trackAddedRows } from '../../../sql/ddl/guards/added-rows.ts';
import { undetermined } from '../../../sql/ddl/guards/value.ts';
import { defaultNamespace } from './guard-table-rows.ts';
import { otherKey, typeKey, referenceInCatalog, sqlserverGuardRules } from './guard-rules.ts';
import { variableValue } from './text-value.ts';
import type { Cursor } from '../../../sql/ddl/cursor.ts';
import type { RenamedColumn } from '../../../sql/ddl/change-table.ts';
import type { ParsedType } from '../../../sql/ddl/ddl-rules.ts';
import type { TableReference } from '../../../sql/ddl/draft.ts';
import type { AddedRows } from '../../../sql/ddl/guards/added-rows.ts';
import type { GuardRules } from '../../../sql/ddl/guards/scope.ts';
import type { Value } from '../../../sql/ddl/guards/value.ts';
import type { Script } from '../../../sql/ddl/read-script.ts';
import type { NestedStatement, ScriptStatement } from '../../../sql/ddl/script-statement.ts';
import type { Statement } from '../../../portable/lexer/split.ts';
import type { OtherObject, ScriptObjects } from './guard-catalog.ts';
import type { ConditionReads } from './guard-rules.ts';
import type { Variables } from './text-value.ts';

export interface CreatedNamespace {
  readonly name: string;
  readonly line: number;
}

/** The objects of a script, which its statements change. */
export interface RunObjects extends ScriptObjects {
  readonly aliases: Map<string, ParsedType>;
  readonly defaultNames: Map<string, string>;
  readonly namespaces: Map<string, CreatedNamespace>;
  readonly otherObjects: Map<string, OtherObject>;
}

export interface ScriptRun {
  readonly script: Script;
  readonly objects: RunObjects;
  readonly variables: Variables;
  readonly rules: GuardRules;
  readonly reads: ConditionReads;
  readonly addedRows: AddedRows;
  /** The script has its rows. */
  readonly hasRows: boolean;
  /** @@TRANCOUNT */
  openTransactions: number;
  /** The batch of the last statement. */
  batch: number;
  /** What has ended the batch, by the EXEC whose text it ends; undefined for the batch itself. */
  readonly batchEnds: Map<number | undefined, BatchEnd>;
}

interface BatchEnd {
  readonly word: string;
  readonly line: number;
  /** Whether a warning names the statements after it. */
  isReported: boolean;
}

export function newScriptRun(script: Script, hasRows: boolean): ScriptRun {
  const reads: ConditionReads = { catalog: false, rows: false };
  const objects: RunObjects = {
    aliases: new Map(),
    defaultNames: new Map(),
    namespaces: new Map(),
    otherObjects: new Map(),
  };
  const variables: Variables = {
    values: new Map(),
    types: new Map(),
    evaluate: (expression) => evaluate(expression, run.rules),
  };
  const addedRows = trackAddedRows(script.data, () => run.rules, referenceInCatalog);
  const variable = (name: string): Value =>
    serverVariable(run, name) ?? variableValue(variables, name);
  const rules = sqlserverGuardRules({
    draft: script.draft,
    objects,
    addedRows,
    hasRows,
    reads,
    variable,
  });
  const run: ScriptRun = {
    script,
    objects,
    variables,
    rules,
    reads,
    addedRows,
    hasRows,
    openTransactions: 0,
    batch: 0,
    batchEnds: new Map(),
  };
  return run;
}

/** Values of a script that has run without errors so far. */
function serverVariable({ openTransactions }: ScriptRun, name: string): Value | undefined {
  if (!name.startsWith('@@')) return undefined;
  if (name === '@@error') return 0;
  return name === '@@trancount' ? openTransactions : undetermined;
}

export function trackTransaction(run: ScriptRun, { code }: ScriptStatement): void {
  switch (code[0]?.word) {
    case 'BEGIN':
      run.openTransactions += 1;
      break;
    case 'COMMIT':
      run.openTransactions = Math.max(0, run.openTransactions - 1);
      break;
    case 'ROLLBACK':
      // A name may be that of a savepoint.
      if (code.length < 3) run.openTransactions = 0;
      break;
    default:
  }
}

// The end of a batch

/** RETURN and THROW end the batch, or the text that EXEC runs. */
export function endBatch(run: ScriptRun, { nesting, line, firstWord }: ScriptStatement): void {
  run.batchEnds.set(nesting?.executedAt, { word: firstWord, line, isReported: false });
}

/** Whether the script runs the statement. Names the first one that it does not. */
export function isReached(run: ScriptRun, statement: Statement | NestedStatement): boolean {
  if (statement.batch !== run.batch) {
    run.batchEnds.clear();
    run.variables.values.clear();
    run.batch = statement.batch;
  }
  const nesting = 'nesting' in statement ? statement.nesting : undefined;
  const batchEnd = run.batchEnds.get(nesting?.executedAt);
  if (batchEnd === undefined) return true;
  if (!batchEnd.isReported) {
    const { word, line } = batchEnd;
    run.script.draft.warnings.push(
      `Line ${statement.line}: the rest of the batch is left out: ${word} in line ${line} ends it.`,
    );
    batchEnd.isReported = true;
  }
  return false;
}

/** Discards the rows and the named defaults of a table that is dropped. */
export function discardTable(
  { addedRows, objects: { defaultNames } }: ScriptRun,
  reference: TableReference,
): void {
  addedRows.discard(reference);
  for (const key of defaultNames.keys())
    if (isOfTable(key, nameOfTable(reference))) defaultNames.delete(key);
}

/** Whether a key of `defaultNames` is of the table. */
function isOfTable(key: string, table: string): boolean {
  return key.slice(0, key.lastIndexOf('.')) === table.toLowerCase();
}

/** Keeps the names of defaults when their table is renamed. */
export function renameInDefaults(
  { objects: { defaultNames } }: ScriptRun,
  from: TableReference,
  to: TableReference,
): void {
  for (const [key, column] of [...defaultNames]) {
    if (!isOfTable(key, nameOfTable(from))) continue;
    defaultNames.delete(key);
    defaultNames.set(constraintKey(to, key.slice(key.lastIndexOf('.') + 1)), column);
  }
}

/** Keeps the names of defaults when their column is renamed. */
export function renameColumnInDefaults(
  { objects: { defaultNames } }: ScriptRun,
  table: TableReference,
  { from, to }: RenamedColumn,
): void {
  for (const [key, column] of defaultNames)
    if (isOfTable(key, nameOfTable(table)) && isSameName(column, from)) defaultNames.set(key, to);
}

// Objects that are not in the draft

const otherTypes: Readonly<Record<string, string>> = {
  PROC: 'P',
  PROCEDURE: 'P',
  TRIGGER: 'TR',
  SEQUENCE: 'SO',
  SYNONYM: 'SN',
  VIEW: 'V',
  TABLE: 'U',
};

/** Notes objects that a statement creates or drops besides the tables and views of the draft. `cursor` is at its beginning. */
export function trackOtherObjects(run: ScriptRun, cursor: Cursor): void {
  const { otherObjects, aliases } = run.objects;
  const verb = acceptOne(cursor, ['CREATE', 'DROP']);
  if (verb === undefined) return;
  accept(cursor, 'OR', 'ALTER');
  const kind = wordAt(cursor);
  const isType = kind === 'TYPE';
  const type = kind === 'FUNCTION' ? functionType(cursor) : isType ? 'TT' : otherTypes[kind];
  if (type === undefined) return;
  cursor.at += 1;
  accept(cursor, 'IF', 'EXISTS');
  if (verb === 'CREATE') recordCreated(run, referenceInCatalog(parseQualifiedName(cursor)), type);
  else
    do {
      const { localName, namespace } = referenceInCatalog(parseQualifiedName(cursor));
      otherObjects.delete((isType ? typeKey : otherKey)(namespace, localName));
      if (isType) aliases.delete(localName.toLowerCase());
    } while (accept(cursor, ','));
}

function recordCreated(
  { objects: { otherObjects, aliases }, script: { draft } }: ScriptRun,
  reference: TableReference,
  type: string,
): void {
  const { localName: name, namespace = defaultNamespace } = reference;
  if (type === 'TT') {
    const isAlias = aliases.has(name.toLowerCase());
    otherObjects.set(typeKey(namespace, name), { name, namespace, type: isAlias ? 'AT' : type });
    return;
  }
  const isInDraft =
    findTable(draft, reference) !== undefined || findView(draft, reference) !== undefined;
  if (!isInDraft) otherObjects.set(otherKey(namespace, name), { name, namespace, type });
}

/** A function returns a scalar, a table of a query, or a table variable. */
function functionType({ text }: Cursor): string {
  const [, returned = ''] = /\bRETURNS\s+(@|TABLE\b)?/i.exec(text) ?? [];
  if (returned === '@') return 'TF';
  return returned === '' ? 'FN' : 'IF';
}
