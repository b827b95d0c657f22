/** Variables of the files `.env.local` and `.env`. They never become variables of the process. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';

import { failed } from '../exit-error.ts';
import { urlVariable } from '../options.ts';
import { readSmallFile } from './small-file.ts';

/** Files in order of precedence, as in Next.js and Vite. */
const names = ['.env.local', '.env'] as const;

export interface FileVariable {
  readonly value: string;
  /** The name of the file. */
  readonly source: string;
}

/** Finds a variable in the files of a folder. An empty value counts as not set. */
export function findFileVariable(folder: string, variable: string): FileVariable | undefined {
  for (const source of names) {
    const text = readSmallFile(join(folder, source));
    const value = text === undefined ? undefined : ownValue(parseEnv(text), variable);
    if (value) return { value, source };
  }
  return undefined;
}

/** Finds DATABASE_URL in the files of a folder. */
export function findFileUrl(folder: string): FileVariable | undefined {
  const found = findFileVariable(folder, urlVariable);
  if (found === undefined) return undefined;
  if (/\$\{\w+\}/.test(found.value))
    throw failed(
      `${urlVariable} in ${found.source} contains other variables ("\${…}"), which are not expanded. Write the whole URL.`,
    );
  return { ...found, value: besidePrismaSchema(folder, found.value) };
}

function ownValue(variables: NodeJS.Dict<string>, name: string): string | undefined {
  return Object.hasOwn(variables, name) ? variables[name] : undefined;
}

/** Prisma resolves `file:./dev.db` from the folder of its schema. The file decides, if only that one exists. */
function besidePrismaSchema(folder: string, url: string): string {
  const [, path, query = ''] = /^file:(?!\/)([^?#]+)(.*)$/i.exec(url) ?? [];
  if (path === undefined || existsSync(join(folder, path))) return url;
  const isThere =
    existsSync(join(folder, 'prisma', 'schema.prisma')) && existsSync(join(folder, 'prisma', path));
  return isThere ? `file:prisma/${path}${query}` : url;
}
