import { extname } from 'node:path';
import { parametersOf } from './commands.ts';
import type { CommandName } from './commands.ts';

/** Extensions that are not the names of their formats. */
const formats: Readonly<Record<string, string>> = {
  yml: 'yaml',
  mmd: 'mermaid',
  jsonl: 'ndjson',
  // Of several CSV files.
  zip: 'csv',
};

/** The format that the extension of a file names, if it is one that the command writes. */
export function formatOfFile(file: string, command: CommandName): string | undefined {
  const extension = extname(file).slice(1).toLowerCase();
  const format = Object.hasOwn(formats, extension) ? formats[extension] : extension;
  const parameter = parametersOf(command)['format'];
  return parameter?.schema.safeParse(format).success === true ? format : undefined;
}
