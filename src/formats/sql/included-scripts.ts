/** Finds the scripts that a script runs, without reading its statements. */
import { openText } from '../text-source.ts';
import { decodeText } from './values/literals.ts';
import type { ByteSource } from '../../portable/files/byte-source.ts';

const command =
  /^[ \t]*(?:\\(?:i|ir|include|include_relative|\.)|:r|source)[ \t]+["']?([^"';\r\n]+)/gim;

/** A line that is longer is part of a value. */
const maxLineBytes = 4096;

/** The paths that commands of clients name: `\i`, `:r`, `source`. */
export async function findIncludedScripts(script: ByteSource): Promise<readonly string[]> {
  const text = await openText(script, { guesses: false });
  const paths: string[] = [];
  let rest = '';
  const collect = (lines: string): void => {
    for (const [, path = ''] of lines.matchAll(command)) paths.push(decodeText(path.trim()).text);
  };
  for await (const chunk of text.open()) {
    const lines = rest + chunk.toString('latin1');
    const end = lines.lastIndexOf('\n') + 1;
    collect(lines.slice(0, end));
    rest = lines.slice(end).slice(0, maxLineBytes);
  }
  collect(rest);
  return paths;
}
