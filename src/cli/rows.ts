/** `database-studio rows URL TABLE`: a page of rows, like the row list of the API. */
import { listQuery } from '../http/list-query.ts';
import type { Filter } from '../contract/read-query.ts';
import type { CommandContext } from './context.ts';
import type { Invocation } from './parse.ts';
import { print } from './print.ts';
import { defaultStateDir } from './state-dir.ts';
import { pageText } from './table-text.ts';
import { withStudio } from './with-studio.ts';

export async function printRows(invocation: Invocation, { env }: CommandContext): Promise<void> {
  const { values, parameters, operands } = invocation;
  const [table] = operands;
  const stateDir = values['state-dir'] ?? defaultStateDir(process.platform, env);
  const query = listQuery(
    parameters as unknown as Parameters<typeof listQuery>[0],
    filtersOf(values.filter),
  );
  await withStudio(invocation, { readOnly: true, stateDir }, async (studio) => {
    const { body } = await studio.perform('list-rows', { table, query });
    const json = String(body);
    print(values, { json, text: (width) => pageText(json, width) });
  });
}

/** `age__gt=30` is the filter `age__gt` with the value `30`. */
export function filtersOf(texts: readonly string[]): readonly Filter[] {
  return texts.map((text) => {
    const end = text.indexOf('=');
    return { name: text.slice(0, end), value: text.slice(end + 1) };
  });
}
