import { readBody } from '../rows/write/read-assignments.ts';
import { classifyText } from './classify-text.ts';
import { readSqlBody } from './sql-body.ts';
import type { Dialect } from '../../model/database.ts';
import type { RunSqlInput } from './run-sql.ts';

/** Whether a client expects the statement to write, by its text. */
export async function mayWrite({ body }: RunSqlInput, dialect: Dialect): Promise<boolean> {
  try {
    const { query } = readSqlBody(readBody(body));
    return (await classifyText(query, dialect)).kind !== 'read';
  } catch {
    // The request was rejected for its text.
    return true;
  }
}
