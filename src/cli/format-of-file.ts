import { extname } from 'node:path';
import { parametersOf } from './commands.ts';
import { wrongUsage } from './exit-error.ts';
import type { CommandName } from './commands.ts';

/** Extensions that are not the names of their formats. */
const formats: Readonly<Record<string, string>> = {
  yml: 'yaml',
  mmd: 'mermaid',
  jsonl: 'ndjson',
  // Of several CSV files.
  zip: 'csv',
};

/**
 * The format that the extension of a file names. Undefined for a file without an extension, and for
 * commands that write one format.
 */
export function formatOfFile(file: string, command: CommandName): string | undefined {
  const extension = extname(file).slice(1).toLowerCase();
  const format = Object.hasOwn(formats, extension) ? formats[extension]! : extension;
  const parameter = parametersOf(command)['format'];
  if (parameter === undefined || extension === '') return undefined;
  const isWritten = (name: string): boolean => parameter.schema.safeParse(name).success;
  if (isWritten(format)) return format;
  const known = Object.keys(formats).filter((each) => isWritten(formats[each]!));
  const error = parameter.schema.safeParse(format).error?.issues[0];
  const names = error?.code === 'invalid_value' ? error.values.map(String) : [];
  const extensions = [...new Set([...names, ...known])].toSorted().map((each) => `.${each}`);
  throw wrongUsage(
    `${command} writes no file with the extension ".${extension}": use one of ${extensions.join(', ')}, or name the format with --format.`,
  );
}
