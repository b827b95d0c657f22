import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Client } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';

/**
 * Parts of a dump for a client other than psql, because its backslash commands and the data of COPY
 * are not SQL.
 */
type Part = { readonly sql: string } | { readonly copy: string; readonly data: string };

/** Runs a script as psql does, except for statements that create or connect to a database. */
export async function loadDump(url: string, script: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    for (const part of partsOf(script)) {
      if ('sql' in part) await client.query(part.sql);
      else await pipeline(Readable.from([part.data]), client.query(copyFrom(part.copy)));
    }
  } finally {
    await client.end();
  }
}

function partsOf(script: string): readonly Part[] {
  const parts: Part[] = [];
  let lines: string[] = [];
  let copy: string | undefined;
  const finish = (): void => {
    const text = lines.join('\n');
    if (copy !== undefined) parts.push({ copy, data: text === '' ? '' : `${text}\n` });
    else if (text.trim() !== '') parts.push({ sql: text });
    lines = [];
  };
  for (const line of script.split(/\r?\n/)) {
    if (copy === undefined && /^COPY .* FROM stdin;/i.test(line)) {
      finish();
      copy = line;
    } else if (copy !== undefined && line === '\\.') {
      finish();
      copy = undefined;
    } else if (copy !== undefined || !/^\\|^(?:DROP|CREATE) DATABASE/i.test(line)) lines.push(line);
  }
  finish();
  return parts;
}
