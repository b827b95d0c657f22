/** Functions, procedures, triggers and rules as statements, in an order in which they can be created. */
import { asOptionalText, asText, catalogQuery, readCatalogRows } from '../../catalog-query.ts';
import { userSchemas } from './catalog.ts';
import { isNotOfExtension } from './other-attributes.ts';
import { qualifiedName, routineName } from './other-objects.ts';
import { programKey } from '../../../model/stored-program.ts';
import type { Session } from '../../../model/database.ts';
import type { ProgramStage, StoredProgram } from '../../../model/stored-program.ts';

interface ProgramRow {
  readonly kind: string;
  readonly name: string;
  readonly namespace: string | undefined;
  readonly table: string | undefined;
  /** Of a function; empty for a trigger or rule. */
  readonly oid: string;
  /** Undefined if the studio does not write the program. */
  readonly definition: string | undefined;
  /** The statement after the definition; empty if there is none. */
  readonly state: string;
  /** The oids of functions that must exist, with blanks between them. */
  readonly needs: string;
  readonly level: string;
  /** The namespace of a function, where that is not `public`. */
  readonly ownNamespace: string | undefined;
  readonly functionName: string | undefined;
}

/** Index in the levels of `functionsQuery`. Objects of the last level are types that scripts do not create. */
const stages: readonly ProgramStage[] = ['before tables', 'before views', 'after rows'];

const dependencies = (catalog: string, oid: string): string =>
  `pg_catalog.pg_depend d WHERE d.classid = 'pg_catalog.${catalog}'::pg_catalog.regclass AND d.objid = ${oid} AND d.deptype IN ('n', 'a')`;

const neededFunctions = (catalog: string, oid: string): string =>
  `COALESCE((SELECT pg_catalog.string_agg(d.refobjid::text, ' ') FROM ${dependencies(catalog, oid)}
    AND d.refclassid = 'pg_catalog.pg_proc'::pg_catalog.regclass), '')`;

/** 0: needs no relation, 1: tables, 2: views, 3: a type that scripts do not create. */
const levelOf = (catalog: string, oid: string): string => `GREATEST(0,
  (SELECT max(CASE r.relkind WHEN 'S' THEN 0 WHEN 'v' THEN 2 WHEN 'm' THEN 2 WHEN 'c' THEN 3 ELSE 1 END)
    FROM ${dependencies(catalog, oid).replace(' WHERE', ` JOIN pg_catalog.pg_class r ON r.oid = d.refobjid AND d.refclassid = 'pg_catalog.pg_class'::pg_catalog.regclass WHERE`)}),
  (SELECT max(CASE WHEN ${isNotOfExtension('pg_type', 'b.oid')} THEN
      CASE WHEN r.relkind IN ('v', 'm') THEN 2 WHEN r.relkind = 'c' OR b.typtype IN ('d', 'r', 'm') THEN 3 WHEN r.relkind IS NOT NULL THEN 1 ELSE 0 END
      ELSE 0 END)
    FROM ${dependencies(catalog, oid).replace(
      ' WHERE',
      ` JOIN pg_catalog.pg_type t ON t.oid = d.refobjid AND d.refclassid = 'pg_catalog.pg_type'::pg_catalog.regclass
    JOIN pg_catalog.pg_type b ON b.oid = CASE WHEN t.typelem <> 0 AND t.typlen = -1 THEN t.typelem ELSE t.oid END
    LEFT JOIN pg_catalog.pg_class r ON r.oid = b.typrelid WHERE`,
    )}))`;

/** Untrusted languages reach files and programs, so an import would reject them. */
const isWritten = `p.prokind IN ('f', 'p') AND l.lanpltrusted`;

const functionsQuery = `SELECT CASE p.prokind WHEN 'p' THEN 'procedure' WHEN 'a' THEN 'aggregate' ELSE 'function' END AS kind,
  ${qualifiedName(routineName)} AS name, NULL AS namespace, NULL AS local_name, p.oid::text AS oid,
  CASE WHEN ${isWritten} THEN pg_catalog.pg_get_functiondef(p.oid) END AS definition, '' AS state,
  ${neededFunctions('pg_proc', 'p.oid')} AS needs, ${levelOf('pg_proc', 'p.oid')}::text AS level,
  NULLIF(n.nspname, 'public')::text AS own_namespace, p.proname::text AS function_name
FROM pg_catalog.pg_proc p JOIN pg_catalog.pg_namespace n ON n.oid = p.pronamespace AND ${userSchemas}
JOIN pg_catalog.pg_language l ON l.oid = p.prolang
WHERE ${isNotOfExtension('pg_proc', 'p.oid')}`;

const stateOf = (object: string, column: string, name: string): string =>
  `CASE ${column} WHEN 'O' THEN '' ELSE pg_catalog.format('ALTER TABLE %s %s ${object} %I', c.oid::pg_catalog.regclass,
    CASE ${column} WHEN 'D' THEN 'DISABLE' WHEN 'R' THEN 'ENABLE REPLICA' ELSE 'ENABLE ALWAYS' END, ${name}) END`;

const ofTable = (relation: string): string => `JOIN pg_catalog.pg_class c ON c.oid = ${relation}
JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace AND ${userSchemas}
WHERE NOT c.relispartition AND ${isNotOfExtension('pg_class', 'c.oid')}`;

const triggersQuery = `SELECT 'trigger', t.tgname::text, n.nspname::text, c.relname::text, '',
  pg_catalog.pg_get_triggerdef(t.oid), ${stateOf('TRIGGER', 't.tgenabled', 't.tgname')},
  ${neededFunctions('pg_trigger', 't.oid')}, ${levelOf('pg_trigger', 't.oid')}::text, NULL, NULL
FROM pg_catalog.pg_trigger t ${ofTable('t.tgrelid')} AND NOT t.tgisinternal`;

const rulesQuery = `SELECT 'rule', r.rulename::text, n.nspname::text, c.relname::text, '',
  pg_catalog.pg_get_ruledef(r.oid), ${stateOf('RULE', 'r.ev_enabled', 'r.rulename')},
  ${neededFunctions('pg_rewrite', 'r.oid')}, '0', NULL, NULL
FROM pg_catalog.pg_rewrite r ${ofTable('r.ev_class')} AND r.rulename <> '_RETURN'`;

const defaultOf = (name: string): string => `EXISTS (SELECT FROM pg_catalog.pg_depend d
  JOIN pg_catalog.pg_attrdef x ON d.classid = 'pg_catalog.pg_attrdef'::pg_catalog.regclass AND x.oid = d.objid
  WHERE d.refobjid = ${name} AND pg_catalog.pg_get_expr(x.adbin, x.adrelid) ~ '^nextval\\(''([^'']|'''')+''::regclass\\)$')`;

/** Sequences that are not created with a column. Their state is a row of their own, which only a query by name can read. */
const sequencesQuery = `SELECT 'sequence', ${qualifiedName('c.relname::text')}, NULL, NULL, '',
  pg_catalog.format('CREATE SEQUENCE %s AS %s START WITH %s INCREMENT BY %s MINVALUE %s MAXVALUE %s CACHE %s', c.oid::pg_catalog.regclass,
    q.seqtypid::pg_catalog.regtype, q.seqstart, q.seqincrement, q.seqmin, q.seqmax, q.seqcache) || CASE WHEN q.seqcycle THEN ' CYCLE' ELSE '' END,
  COALESCE(pg_catalog.format('SELECT pg_catalog.setval(%L, %s, %s)', c.oid::pg_catalog.regclass,
    pg_catalog.substring(x.state::text, '<last_value>([^<]*)<'), pg_catalog.substring(x.state::text, '<is_called>([^<]*)<')), ''),
  '', '0', NULLIF(n.nspname, 'public')::text, NULL
FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace AND ${userSchemas}
JOIN pg_catalog.pg_sequence q ON q.seqrelid = c.oid
LEFT JOIN LATERAL pg_catalog.query_to_xml('SELECT last_value, is_called FROM ' || c.oid::pg_catalog.regclass, false, false, '') AS x(state)
  ON pg_catalog.has_sequence_privilege(c.oid, 'SELECT')
WHERE c.relkind = 'S' AND ${isNotOfExtension('pg_class', 'c.oid')} AND NOT ${defaultOf('c.oid')} AND NOT EXISTS (
  SELECT FROM pg_catalog.pg_depend d
  WHERE d.classid = 'pg_catalog.pg_class'::pg_catalog.regclass AND d.objid = c.oid AND d.deptype IN ('a', 'i'))`;

const query = catalogQuery(
  {
    kind: asText('o.kind'),
    name: asText('o.name'),
    namespace: asOptionalText('o.namespace'),
    table: asOptionalText('o.local_name'),
    oid: asText('o.oid'),
    definition: asOptionalText('o.definition'),
    state: asText('o.state'),
    needs: asText('o.needs'),
    level: asText('o.level'),
    ownNamespace: asOptionalText('o.own_namespace'),
    functionName: asOptionalText('o.function_name'),
  },
  (selectList) => `SELECT ${selectList} FROM (
${[functionsQuery, triggersQuery, rulesQuery, sequencesQuery].join('\nUNION ALL\n')}
) o ORDER BY o.kind <> 'sequence', o.kind, o.namespace, o.local_name, o.name`,
);

export async function storedPrograms(session: Session): Promise<readonly StoredProgram[]> {
  const rows = await readCatalogRows(session, query);
  const functions = new Map(rows.flatMap((row) => (row.oid === '' ? [] : [[row.oid, row]])));
  const ordered: ProgramRow[] = [];
  const levels = new Map<ProgramRow, number>();
  const visit = (row: ProgramRow): number => {
    const known = levels.get(row);
    if (known !== undefined) return known;
    const own = row.definition === undefined ? unwritten : Number(row.level);
    levels.set(row, own);
    const level = Math.max(own, ...neededBy(row, functions).map(visit));
    levels.set(row, level);
    ordered.push(row);
    return level;
  };
  for (const row of rows) visit(row);
  const written = ordered.filter((row) => levels.get(row)! < unwritten);
  return written.map((row) => programOf(row, { functions, level: levels.get(row)! }));
}

const unwritten = 3;

/** Functions of extensions and of the server exist in every database. */
function neededBy(
  { needs }: ProgramRow,
  functions: ReadonlyMap<string, ProgramRow>,
): readonly ProgramRow[] {
  return needs.split(' ').flatMap((oid) => functions.get(oid) ?? []);
}

interface ProgramContext {
  readonly functions: ReadonlyMap<string, ProgramRow>;
  readonly level: number;
}

function programOf(row: ProgramRow, { functions, level }: ProgramContext): StoredProgram {
  const { oid, definition = '', state, ownNamespace, functionName } = row;
  const isRoutine = oid !== '';
  const text = definition
    .replace(/^CREATE OR REPLACE /, 'CREATE ')
    .trimEnd()
    .replace(isRoutine ? /$^/ : /;$/, '');
  return {
    ...identityOf(row),
    ...(ownNamespace === undefined ? {} : { namespace: ownNamespace }),
    ...(functionName === undefined ? {} : { functionName }),
    stage: stageOf(row, level),
    // Bodies may name what comes later in the script.
    session: isRoutine ? ['SET check_function_bodies = off'] : [],
    script: state === '' ? [text] : [text, state],
    needs: neededBy(row, functions).map((each) => programKey(identityOf(each))),
  };
}

/** Functions and expressions may use sequences. */
function stageOf({ kind, oid }: ProgramRow, level: number): ProgramStage {
  if (kind === 'sequence') return 'before tables';
  return oid === '' ? 'after rows' : (stages[level] ?? 'after rows');
}

function identityOf({
  kind,
  name,
  namespace,
  table,
}: ProgramRow): Pick<StoredProgram, 'kind' | 'name' | 'table'> {
  if (table === undefined) return { kind, name };
  return {
    kind,
    name,
    table: { ...(namespace === undefined ? {} : { namespace }), localName: table },
  };
}
