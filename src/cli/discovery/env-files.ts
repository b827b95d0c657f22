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
function findFileVariables(folder: string, variable: string): readonly FileVariable[] {
  return names.flatMap((source) => {
    const text = readSmallFile(join(folder, source));
    const value = text === undefined ? undefined : valueIn({ text, source }, variable);
    return value ? [{ value, source }] : [];
  });
}

/**
 * Finds a variable that the configuration file of a tool refers to. Tools differ in whether they read
 * `.env.local`.
 */
export function findToolVariable(folder: string, variable: string): string | undefined {
  const found = findFileVariables(folder, variable);
  if (new Set(found.map(({ value }) => value)).size > 1)
    throw failed(
      `${variable} has one value in .env.local and another one in .env. Pass the URL of the database instead.`,
    );
  return found[0]?.value;
}

/** Finds DATABASE_URL in the files of a folder. */
export function findEnvFileUrl(folder: string): FileVariable | undefined {
  const [found] = findFileVariables(folder, urlVariable);
  return found && { ...found, value: besidePrismaSchema(folder, found.value) };
}

function valueIn(
  { text, source }: { readonly text: string; readonly source: string },
  variable: string,
): string | undefined {
  const variables = parseEnv(text);
  const value = ownValue(variables, variable);
  if (!value && isAssigned(text, variable))
    throw failed(
      `${variable} in ${source} cannot be read. Write ${variable}="…" on a line of its own.`,
    );
  if (value && refersToOthers(value, variables))
    throw failed(
      `${variable} in ${source} contains other variables ("\${…}"), which are not expanded. Write the whole URL.`,
    );
  return value;
}

/** Whether a line assigns a value in a way that `parseEnv` does not read: `NAME: value`, or below an unclosed quote. */
function isAssigned(text: string, variable: string): boolean {
  const lines = text.split(/\r\n|[\r\n]/);
  const pattern = new RegExp(`^\\s*(?:export\\s+)?${variable}\\s*[:=]\\s*(?!["'\`]{2}|#)\\S`);
  return lines.some((line) => pattern.test(line));
}

/** Some tools also expand `$NAME`. If the file has no variable NAME, the text may be part of a password. */
function refersToOthers(value: string, variables: NodeJS.Dict<string>): boolean {
  if (/\$\{\w+/.test(value)) return true;
  const references = [...value.matchAll(/\$([A-Za-z_]\w*)/g)];
  return references.some(([, name = '']) => Object.hasOwn(variables, name));
}

function ownValue(variables: NodeJS.Dict<string>, name: string): string | undefined {
  return Object.hasOwn(variables, name) ? variables[name] : undefined;
}

/** Prisma resolves `file:./dev.db` from the folder of its schema. Used if only the file in that folder exists. */
function besidePrismaSchema(folder: string, url: string): string {
  const [, path, query = ''] = /^file:(?!\/)([^?#]+)(.*)$/i.exec(url) ?? [];
  if (path === undefined || existsSync(join(folder, path))) return url;
  const isThere =
    existsSync(join(folder, 'prisma', 'schema.prisma')) && existsSync(join(folder, 'prisma', path));
  return isThere ? `file:prisma/${path}${query}` : url;
}
