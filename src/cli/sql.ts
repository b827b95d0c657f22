/** `database-studio sql URL QUERY`: prints a table on a terminal, else the JSON of the SQL endpoint. */
import { isJson } from '../model/values/json-text.ts';
import { text as textOf } from 'node:stream/consumers';
import type { Invocation } from './parse.ts';
import { print } from './print.ts';
import { withStudio } from './with-studio.ts';
import { tableText } from './table-text.ts';

export async function runSql(invocation: Invocation): Promise<void> {
  const { values, operands } = invocation;
  const [operand = ''] = operands;
  const query = operand === '-' ? await textOf(process.stdin) : operand;
  const body = sqlBody(query, values.param, values['max-rows']);
  const options = { readOnly: values['read-only'], allowDdl: values['allow-ddl'] };
  await withStudio(invocation, options, async (studio) => {
    const reply = await studio.perform('run-sql', { body });
    const json = String(reply.body);
    print(values, { json, text: (width) => tableText(json, width) });
  });
}

/** Valid JSON is inserted verbatim, so that numbers keep all digits. */
function sqlBody(query: string, params: readonly string[], maxRows: number): string {
  const items = params.map((param) => (isJson(param) ? param : JSON.stringify(param)));
  return `{"query":${JSON.stringify(query)},"params":[${items.join(',')}],"max_rows":${maxRows}}`;
}
