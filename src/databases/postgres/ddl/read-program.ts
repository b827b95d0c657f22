/** Reads functions, procedures, triggers and rules of a dump. */
import { findTable, findView, nameOfTable } from '../../../sql/ddl/draft.ts';
import { addProgram, programHead, removeProgram } from '../../../sql/ddl/read-program.ts';
import { parseStatement } from '../language/parse-statement.ts';
import { postgresLexicalRules } from '../language/lexical-rules.ts';
import { sessionOf } from './program-session.ts';
import { membersNamed, referenceTo, relationOf, stringsOf } from './tree-names.ts';
import type { AlterTableType, CreateFunctionStmt, Node, RangeVar } from 'libpg-query';
import type { Schema } from '../../../model/schema.ts';
import type { ScriptProgram } from '../../../model/stored-program.ts';
import type { SchemaDraft } from '../../../sql/ddl/draft.ts';
import type { ProgramHead } from '../../../sql/ddl/read-program.ts';
import type { ScriptStatement } from '../../../sql/ddl/script-statement.ts';
import type { FileState } from './statement-context.ts';
import type { Namespaces } from './tree-names.ts';

const kinds = ['TRIGGER', 'FUNCTION', 'PROCEDURE', 'RULE'];

/** Returns whether the statement creates or drops such a program, and the import can do so. */
export function readProgram(
  statement: ScriptStatement,
  draft: SchemaDraft,
  state: FileState,
): boolean {
  const head = programHead(statement, kinds, postgresLexicalRules);
  if (head === undefined) return false;
  const name = qualifiedName(head.nameParts, state.namespaces);
  if (statement.firstWord === 'DROP') {
    const isFound = removeProgram(
      draft,
      (program) => program.kind === head.kind && program.name === name,
    );
    return isFound || statement.code.some(({ word }) => word === 'EXISTS');
  }
  if (statement.firstWord !== 'CREATE') return false;
  const node = parseStatement(statement)?.node;
  const program =
    node === undefined ? undefined : programOf(node, { statement, draft, state, head, name });
  if (program === undefined) return false;
  addProgram(draft, program, head);
  return true;
}

interface ProgramContext {
  readonly statement: ScriptStatement;
  readonly draft: SchemaDraft;
  readonly state: FileState;
  readonly head: ProgramHead;
  readonly name: string;
}

function programOf(node: Node, context: ProgramContext): ScriptProgram | undefined {
  if ('CreateFunctionStmt' in node) return routineOf(node.CreateFunctionStmt, context);
  if ('CreateTrigStmt' in node) {
    const { relation, funcname } = node.CreateTrigStmt;
    const functionName = qualifiedName(stringsOf(funcname), context.state.namespaces);
    return ofRelation(relation, context, [routineKey(functionName, '')]);
  }
  return 'RuleStmt' in node ? ofRelation(node.RuleStmt.relation, context, []) : undefined;
}

function routineOf(tree: CreateFunctionStmt, context: ProgramContext): ScriptProgram | undefined {
  const { head, state, draft, statement, name } = context;
  const { namespace } = referenceTo(head.nameParts, state.namespaces);
  if (namespace === 'pg_catalog' || namespace === 'information_schema') return undefined;
  // Domains become their base types, and composite types are left out.
  const types = typeNamesIn([tree.parameters, tree.returnType]);
  if (types.some((type) => state.types.domains.has(type) || state.otherTypes.has(type)))
    return undefined;
  return {
    kind: head.kind,
    name,
    key: routineKey(name, argumentsOf(statement, head)),
    needs: [],
    line: statement.line,
    // `withStages` decides about the others.
    stage: draft.tables.size === 0 ? 'before tables' : 'after rows',
    text: withoutReplace(statement),
    functionName: head.nameParts.at(-1) ?? '',
    ...(namespace === undefined ? {} : { namespace }),
    session: sessionOf(state.namespaces, ['SET LOCAL check_function_bodies = off']),
  };
}

/** Undefined for a table or view that the script does not create, and for a partition, which becomes part of its table. */
function ofRelation(
  relation: RangeVar | undefined,
  { head, state, draft, statement }: ProgramContext,
  needs: readonly string[],
): ScriptProgram | undefined {
  const reference = relationOf(relation, state.namespaces);
  const isCreated =
    findTable(draft, reference) !== undefined || findView(draft, reference) !== undefined;
  if (!isCreated || state.partitions.has(nameOfTable(reference))) return undefined;
  const [name = ''] = head.nameParts;
  return {
    kind: head.kind,
    name: `${name} of ${nameOfTable(reference)}`,
    key: ofRelationKey(head.kind, name, nameOfTable(reference)),
    needs,
    line: statement.line,
    stage: 'after rows',
    text: withoutReplace(statement),
    session: sessionOf(state.namespaces, []),
  };
}

/** Changes that say when a trigger or rule runs. */
const stateChanges: Readonly<Partial<Record<AlterTableType, string>>> = {
  AT_EnableTrig: 'trigger',
  AT_EnableAlwaysTrig: 'trigger',
  AT_EnableReplicaTrig: 'trigger',
  AT_DisableTrig: 'trigger',
  AT_EnableRule: 'rule',
  AT_EnableAlwaysRule: 'rule',
  AT_EnableReplicaRule: 'rule',
  AT_DisableRule: 'rule',
};

/** `ALTER TABLE … DISABLE TRIGGER name`, if the trigger is among the programs. */
export function readProgramState(
  node: Node,
  statement: ScriptStatement,
  { draft, state }: { readonly draft: SchemaDraft; readonly state: FileState },
): boolean {
  if (!('AlterTableStmt' in node)) return false;
  const { relation, cmds = [] } = node.AlterTableStmt;
  const [command] = cmds;
  if (cmds.length !== 1 || command === undefined || !('AlterTableCmd' in command)) return false;
  const { subtype, name = '' } = command.AlterTableCmd;
  const kind = subtype && stateChanges[subtype];
  if (kind === undefined) return false;
  const table = nameOfTable(relationOf(relation, state.namespaces));
  const key = ofRelationKey(kind, name, table);
  if (!draft.programs.some((program) => program.key === key)) return false;
  draft.programs.push({
    kind: `state of the ${kind}`,
    name: `${name} of ${table}`,
    key: `state of ${key}`,
    needs: [key],
    line: statement.line,
    stage: 'after rows',
    text: statement.text,
    session: sessionOf(state.namespaces, []),
  });
  return true;
}

/** Functions that tables or views call come before them. Dump tools write these first unless they need a table. */
export function withStages(
  programs: readonly ScriptProgram[],
  { tables, views }: Schema,
): readonly ScriptProgram[] {
  const expressions = JSON.stringify(
    tables.map(({ columns, checks, indexes }) => [columns, checks, indexes]),
  );
  const queries = JSON.stringify(views.map(({ definition }) => definition));
  return programs.map((program) => {
    const { functionName, stage } = program;
    if (functionName === undefined || stage === 'before tables') return program;
    const name = JSON.stringify(functionName.replaceAll('"', '""')).slice(1, -1);
    if (expressions.includes(name)) return { ...program, stage: 'before tables' };
    return queries.includes(name) ? { ...program, stage: 'before views' } : program;
  });
}

function qualifiedName(parts: readonly string[], namespaces: Namespaces): string {
  return nameOfTable(referenceTo(parts, namespaces));
}

function routineKey(name: string, argumentList: string): string {
  return `routine ${name}(${argumentList})`;
}

function ofRelationKey(kind: string, name: string, table: string): string {
  return JSON.stringify([kind, name, table]);
}

/** The tokens between the parentheses after the name. */
function argumentsOf({ text }: ScriptStatement, { rest }: ProgramHead): string {
  let depth = 0;
  const end = rest.findIndex(({ word }) => {
    depth += Number(word === '(') - Number(word === ')');
    return depth === 0;
  });
  return rest
    .slice(1, Math.max(1, end))
    .map((token) => text.slice(token.start, token.end))
    .join(' ');
}

/** An import changes nothing that exists. */
function withoutReplace({ text, code }: ScriptStatement): string {
  const [create, or, replace] = code;
  return create !== undefined && or?.word === 'OR' && replace?.word === 'REPLACE'
    ? `${text.slice(create.start, create.end)}${text.slice(replace.end)}`
    : text;
}

function typeNamesIn(tree: unknown): readonly string[] {
  return membersNamed('names', tree).flatMap((names) =>
    stringsOf(names as readonly Node[]).slice(-1),
  );
}
