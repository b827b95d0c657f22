import { createStudio } from '../studio/studio.ts';
import type { Invocation } from './parse.ts';

/** `database-studio schema URL`: prints what GET schema answers, without a server. */
export async function printSchema({ url = '', values }: Invocation): Promise<void> {
  const statementTimeoutMs = values['statement-timeout'];
  const studio = await createStudio({ url, readOnly: true, statementTimeoutMs });
  try {
    const { body } = await studio.perform('get-schema', {});
    const json = String(body);
    const text = process.stdout.isTTY ? JSON.stringify(JSON.parse(json), null, 2) : json;
    process.stdout.write(`${text}\n`);
  } finally {
    await studio.close();
  }
}
