import type { CommandContext } from './context.ts';
import type { Invocation } from './parse.ts';
import { print } from './print.ts';
import { defaultStateDir } from './state-dir.ts';
import { schemaText } from './schema-text.ts';
import { withStudio } from './with-studio.ts';

/** `database-studio schema URL`: the tables with their columns, keys and indexes, or the response of GET schema. */
export async function printSchema(invocation: Invocation, { env }: CommandContext): Promise<void> {
  const stateDir = invocation.values['state-dir'] ?? defaultStateDir(process.platform, env);
  await withStudio(invocation, { readOnly: true, stateDir }, async (studio) => {
    const { body } = await studio.perform('get-schema', {});
    const json = String(body);
    print(invocation.values, { json, text: () => schemaText(json) });
  });
}
