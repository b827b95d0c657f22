/** Reads PostgreSQL's DDL with PostgreSQL's parser. */
import { codeOf } from '../../../portable/lexer/code.ts';
import { shortenedName } from '../../../sql/adapt/cut-names.ts';
import { readName } from '../../../sql/expression/read-literal.ts';
import { positionCounter } from '../../../portable/lexer/position.ts';
import { readScript } from '../../../sql/ddl/read-script.ts';
import { requireOneDatabase, useDatabase } from '../../../sql/ddl/draft.ts';
import { withEmptySchemas } from './empty-schemas.ts';
import { connectLines } from './connect-lines.ts';
import { postgresLanguage } from '../language/language.ts';
import { withoutOwnCollations } from './own-collations.ts';
import { mergePartitions } from './partitions.ts';
import { withNumberings } from './read-numbering.ts';
import { withoutStatement, withSequences } from './read-sequences.ts';
import { readStatement } from './read-statement.ts';
import { postgresSettings } from '../language/script-settings.ts';
import { postgresDialectHints, postgresDumpTools } from '../language/dialect-hints.ts';
import { postgresGuardRules } from './guard-rules.ts';
import { typeOfText } from './type-of-text.ts';
import { defaultNamespace } from '../dialect/catalog-names.ts';
import type { Node } from 'libpg-query';
import type { ExternalObjects } from '../../../model/schema.ts';
import type { SchemaDraft } from '../../../sql/ddl/draft.ts';
import type { DdlSettings } from '../../../sql/ddl/track-settings.ts';
import type { DdlOptions, DdlReader, DdlReadResult } from '../../../sql/ddl/ddl-reader.ts';
import type { ScriptStatement } from '../../../sql/ddl/script-statement.ts';
import type { FileState } from './statement-context.ts';

export const postgresDdlReader: DdlReader = {
  read,
  readType: typeOfText,
  // `DdlDialect.nativeType` decides about types that are not built in.
  knowsType: () => true,
  dialectHints: postgresDialectHints,
  dumpTools: postgresDumpTools,
};

async function read(text: string, options: DdlOptions): Promise<DdlReadResult> {
  // The parser is loaded on demand, because files of other databases do not need it.
  const { loadParser, parseStatement } = await import('../language/parse-statement.ts');
  const { readProgram, readProgramState, withStages } = await import('./read-program.ts');
  const { contentOfDo, isReachedInBlock } = await import('./do-blocks.ts');
  await loadParser();
  const state = newState(options);
  const connectLinesLeft = [...connectLines(text)];
  const addToDraft = (statement: ScriptStatement, draft: SchemaDraft): boolean | 'data' => {
    while ((connectLinesLeft[0]?.at ?? Infinity) < statement.start)
      useDatabase(draft, connectLinesLeft.shift()!.database);
    const parsed = parseStatement(statement);
    if (parsed !== undefined && createsRelation(parsed.node)) requireOneDatabase(draft, statement);
    if (parsed === undefined) return true;
    if (state.isLoaded && readProgramState(parsed.node, statement, { draft, state })) return true;
    return readStatement({ statement, parsed, draft, state });
  };
  const script = readScript(
    text,
    {
      language: postgresLanguage,
      isRun: isReachedInBlock,
      contentOf: (statement, draft) =>
        contentOfDo({ statement, draft, state, rules: postgresGuardRules({ draft, state }) }),
      addToDraft,
      readProgram: (statement, draft) => readProgram(statement, draft, state),
      settings,
      rollsBackDdl: true,
    },
    options,
  );
  const merged = mergePartitions(script, state.partitions);
  const reading = withoutOwnCollations(merged, state.collations);
  const warnings = [...longNames(text), ...reading.warnings];
  const schema = withNumberings(reading.schema, state.numberings);
  const programs = withStages(reading.programs, schema);
  const complete = withSequences({ ...reading, schema, warnings, programs }, state, state.isLoaded);
  return withExternalObjects(withEmptySchemas(complete, state), state);
}

const maxNameBytes = 63;

/** PostgreSQL's parser cuts names. */
function longNames(text: string): readonly string[] {
  // Most files have no long name.
  if (!/[^\s"]{64}|"[^"\n]{22}/.test(text)) return [];
  const positionOf = positionCounter(text);
  const warnings = new Map<string, string>();
  for (const { kind, start, end } of codeOf(text, postgresLanguage.lexical)) {
    if (kind !== 'word' && kind !== 'quoted-name') continue;
    const name = readName(text.slice(start, end), postgresLanguage.lexical);
    if (Buffer.byteLength(name) <= maxNameBytes || warnings.has(name)) continue;
    const short = shortenedName(name, { length: maxNameBytes, unit: 'bytes' });
    const { line } = positionOf(start);
    warnings.set(name, `Line ${line}: PostgreSQL cuts the name ${name} to ${short}.`);
  }
  return [...warnings.values()];
}

/** Those of "pg_catalog" are there without a clause. */
function isImplied(namespace: string | undefined, home: string): boolean {
  return namespace === undefined || namespace === home || namespace === 'pg_catalog';
}

function namespacesOf({
  extensions,
  namespaces,
}: FileState): Pick<ExternalObjects, 'extensionNamespaces'> {
  const named = [...extensions].filter(
    (entry): entry is [string, string] => !isImplied(entry[1], namespaces.home),
  );
  return named.length === 0 ? {} : { extensionNamespaces: Object.fromEntries(named) };
}

const settings: DdlSettings = {
  settingsOf: postgresSettings,
  affectsTables:
    /^SET (?:LOCAL |SESSION )?(?:DEFAULT_TABLESPACE (?:=|TO) (?!DEFAULT$)\S|DEFAULT_TABLE_ACCESS_METHOD (?:=|TO) (?!heap$|DEFAULT$)|DEFAULT_WITH_OIDS (?:=|TO) (?:on|true|1)|DEFAULT_TOAST_COMPRESSION (?:=|TO) (?!pglz$|DEFAULT$))/i,
};

function createsRelation(node: Node): boolean {
  return 'CreateStmt' in node || 'ViewStmt' in node || 'CreateTableAsStmt' in node;
}

function newState({ defaultNamespace: home = defaultNamespace, data }: DdlOptions): FileState {
  return {
    isLoaded: data === 'loaded',
    unvalidated: new Map(),
    types: { enums: new Map(), domains: new Map() },
    namespaces: { current: home, home },
    owners: new Set(),
    createdNamespaces: new Map(),
    extensions: new Map(),
    routines: new Set(),
    otherTypes: new Set(),
    collations: new Set(),
    notInherited: new WeakSet(),
    compositeTypes: new Map(),
    partitions: new Map(),
    sequences: new Map(),
    numberings: new Map(),
  };
}

function withExternalObjects(reading: DdlReadResult, state: FileState): DdlReadResult {
  const owners = [...state.owners].filter((name) => name !== '');
  const warning = `Owners are left out: the objects of ${owners.join(', ')} are created with the studio's login as owner.`;
  const { extensions, routines, otherTypes } = state;
  const externalObjects = {
    extensions: [...extensions.keys()],
    ...namespacesOf(state),
    routines: [...routines],
    types: [...otherTypes],
    ...withoutStatement(reading.schema, state),
  };
  return {
    ...reading,
    schema: { ...reading.schema, externalObjects },
    warnings: owners.length === 0 ? reading.warnings : [...reading.warnings, warning],
  };
}
