import type { Invocation } from './parse.ts';
import { withStudio } from './with-studio.ts';

/** `database-studio schema URL`: prints what GET schema answers, without a server. */
export async function printSchema(invocation: Invocation): Promise<void> {
  await withStudio(invocation, { readOnly: true }, async (studio) => {
    const { body } = await studio.perform('get-schema', {});
    const json = String(body);
    const text = process.stdout.isTTY ? JSON.stringify(JSON.parse(json), null, 2) : json;
    process.stdout.write(`${text}\n`);
  });
}
