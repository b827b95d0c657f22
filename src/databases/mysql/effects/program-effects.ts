/** Finds what triggers, routines and events may do when they run, beyond changes of their own database. */
import { executableCode } from '../../../sql/ddl/cursor.ts';
import { effect } from '../../../sql/effects.ts';
import { mysqlLexicalRules } from '../language/lexical-rules.ts';
import { administrationInBody } from './administration-in-body.ts';
import { effectsOfCalls } from './called-routines.ts';
import { databasesInBody } from './databases-in-body.ts';
import type { StatementEffect } from '../../../model/database.ts';
import type { EffectOptions } from '../../../model/stored-program.ts';
import type { Connection } from '../driver/connection.ts';

/** Each login may read the descriptions of the objects that it can access. */
const descriptions = 'information_schema';

export async function effectsOf(
  text: string,
  session: Pick<Connection, 'run' | 'server'>,
  options: EffectOptions = {},
): Promise<readonly StatementEffect[]> {
  const effects = await effectsOfCalls(text, session);
  if (options.isProgram !== true) return effects;
  const { rows } = await session.run({ text: 'SELECT LOWER(DATABASE())', params: [] });
  return [...effects, ...effectsWithin(text, String(rows[0]?.[0] ?? ''))];
}

/** `database`: the name of the one in which the program is created, in lower case. */
export function effectsWithin(text: string, database: string): readonly StatementEffect[] {
  // The mode NO_BACKSLASH_ESCAPES may be set by the script or by the server.
  const readings = [true, false].map((backslashEscapes) => ({
    text,
    // Some servers run what is in a versioned comment.
    code: executableCode(text, { ...mysqlLexicalRules, backslashEscapes }),
  }));
  const subjects = new Set(readings.flatMap(administrationInBody));
  const databases = new Set(readings.flatMap((body) => [...databasesInBody(body)]));
  const others = [...databases].filter((name) => name !== database && name !== descriptions);
  return [
    ...[...subjects].map((subject) => effect(subject, 'administration').reason),
    ...others.map((name) => `It names the database ${name}, which is another one`),
  ].map((reason) => ({ kind: 'administration', reason }));
}
