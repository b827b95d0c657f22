/** Triggers, routines, events and sequences as statements, in the order in which triggers run. */
import { asOptionalText, asText, catalogQuery } from '../../catalog-query.ts';
import { lexicalModes } from '../language/sql-modes.ts';
import { quoteName, quoteText } from '../dialect/ddl.ts';
import { setSequence } from '../dialect/counters.ts';
import { withoutDefiner } from '../language/program-text.ts';
import { readUnlockedRows } from './catalog.ts';
import { StudioError } from '../../../model/errors.ts';
import type { Session } from '../../../model/database.ts';
import type { Value } from '../../../model/values.ts';
import type { StoredProgram } from '../../../model/stored-program.ts';
import type { ServerInfo } from '../dialect/server-info.ts';

interface ProgramName {
  readonly kind: string;
  readonly name: string;
  readonly table: string | undefined;
}

const text = (column: string): string => `CONVERT(${column} USING utf8mb4) COLLATE utf8mb4_bin`;

const query = catalogQuery(
  { kind: asText('o.kind'), name: asText('o.name'), table: asOptionalText('o.local_name') },
  (selectList) => `SELECT ${selectList} FROM (
SELECT ${text('LOWER(routine_type)')} AS kind, ${text('routine_name')} AS name, NULL AS local_name, 0 AS position
FROM information_schema.routines WHERE routine_schema = DATABASE() AND routine_type IN ('FUNCTION', 'PROCEDURE')
UNION ALL SELECT ${text("'trigger'")}, ${text('trigger_name')}, ${text('event_object_table')}, action_order
FROM information_schema.triggers WHERE event_object_schema = DATABASE()
UNION ALL SELECT ${text("'event'")}, ${text('event_name')}, NULL, 0
FROM information_schema.events WHERE event_schema = DATABASE()
UNION ALL SELECT ${text("'sequence'")}, ${text('table_name')}, NULL, 0
FROM information_schema.tables WHERE table_schema = DATABASE() AND table_type = 'SEQUENCE'
) o ORDER BY FIELD(o.kind, 'sequence', 'function', 'procedure', 'trigger', 'event'), o.local_name, o.position, o.name`,
);

/** Without those whose definition the login may not see. */
export async function storedPrograms(
  session: Session,
  server: ServerInfo,
): Promise<readonly StoredProgram[]> {
  const names = await readUnlockedRows(session, query, server);
  const programs: StoredProgram[] = [];
  for (const program of names) {
    if (program.kind === 'sequence') {
      const script = await readSequence(session, program);
      if (script !== undefined) programs.push(script);
      continue;
    }
    const definition = await readDefinition(session, program);
    // A script is read with the same quotes from its beginning to its end.
    if (definition === undefined || lexicalModes.test(definition.sqlMode)) continue;
    const { kind, name, table } = program;
    programs.push({
      kind,
      name,
      ...(table === undefined ? {} : { table: { localName: table } }),
      stage: kind === 'function' ? 'before tables' : 'after rows',
      session: [],
      script: scriptOf(definition),
      needs: [],
    });
  }
  return programs;
}

/** Undefined for one that the login may not read. */
async function readSequence(
  session: Session,
  { kind, name }: ProgramName,
): Promise<StoredProgram | undefined> {
  const quoted = quoteName(name);
  const read = async (statement: string): Promise<readonly Value[] | undefined> =>
    (await session.run({ text: statement, params: [] })).rows[0];
  try {
    const [, definition] = (await read(`SHOW CREATE SEQUENCE ${quoted}`)) ?? [];
    const [next] = (await read(`SELECT CAST(next_not_cached_value AS CHAR) FROM ${quoted}`)) ?? [];
    if (definition === undefined || next === undefined) return undefined;
    return {
      kind,
      name,
      stage: 'before tables',
      session: [],
      script: [
        String(definition),
        setSequence(name, { value: BigInt(String(next)), isUsed: false }),
      ],
      needs: [],
    };
  } catch (error) {
    if (!(error instanceof StudioError) || error.code !== 'permission_denied') throw error;
    return undefined;
  }
}

interface Definition {
  readonly sqlMode: string;
  /** The time zone of an event. */
  readonly timeZone: string | undefined;
  readonly statement: string;
}

async function readDefinition(
  session: Session,
  { kind, name }: ProgramName,
): Promise<Definition | undefined> {
  const { columns, rows } = await session.run({
    text: `SHOW CREATE ${kind.toUpperCase()} ${quoteName(name)}`,
    params: [],
  });
  const valueOf = (pattern: RegExp): string | undefined => {
    const value = rows[0]?.[columns.findIndex((column) => pattern.test(column.name))] ?? null;
    return value === null ? undefined : String(value);
  };
  const statement = valueOf(/^(?:SQL Original Statement|Create (?:Procedure|Function|Event))$/i);
  if (statement === undefined) return undefined;
  return {
    sqlMode: valueOf(/^sql_mode$/i) ?? '',
    timeZone: valueOf(/^time_zone$/i),
    statement: withoutDefiner(statement),
  };
}

/** The delimiter does not occur in a body, outside of its quotes and comments. */
function scriptOf({ sqlMode, timeZone, statement }: Definition): readonly string[] {
  const zone =
    timeZone === undefined
      ? { save: '', set: '', restore: '' }
      : {
          save: ', @saved_time_zone = @@time_zone',
          set: `, time_zone = ${quoteText(timeZone)}`,
          restore: ', time_zone = @saved_time_zone',
        };
  return [
    `SET @saved_sql_mode = @@sql_mode${zone.save}`,
    `SET sql_mode = ${quoteText(sqlMode)}${zone.set}`,
    `DELIMITER ;;\n${statement};;\nDELIMITER `,
    `SET sql_mode = @saved_sql_mode${zone.restore}`,
  ];
}
