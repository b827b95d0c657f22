/** Separates the structure of a SQL script from its rows. */
import { readScript } from './read.ts';
import { openTrial, readNext } from './script-units.ts';
import type { ByteSource } from '../../portable/files/byte-source.ts';
import type { SqlOptions } from './read.ts';

export interface StructurePart {
  /** The dialect in which the script is read. */
  readonly dialect: string;
  readonly bytes: Uint8Array;
}

/** The script without its rows and the positions of counters. Their line breaks remain, so that each statement keeps its line. */
export async function* readStructureText(
  source: ByteSource,
  options: SqlOptions,
): AsyncGenerator<StructurePart, void, undefined> {
  let dialect = '';
  const texts: string[] = [];
  const units = readScript(source, options, {
    open: (name, { choice }) => {
      dialect = choice.name;
      return openTrial(name, choice, options.ddl);
    },
    readNext: (sql) => {
      const { lexer } = sql.script;
      const from = lexer.at;
      if (!readNext(sql)) return false;
      const text = lexer.text.slice(from, lexer.at);
      texts.push(sql.isStructure ? text : text.replaceAll(/[^\n]+/g, ''));
      return true;
    },
    take: () => texts.splice(0),
  });
  for await (const text of units) yield { dialect, bytes: Buffer.from(text, 'latin1') };
}
