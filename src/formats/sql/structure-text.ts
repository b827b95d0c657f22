/** Separates the structure of a SQL script from its rows. */
import { readScript } from './read.ts';
import { openTrial, readNext } from './script-units.ts';
import type { ByteSource } from '../../portable/files/byte-source.ts';
import type { SqlOptions } from './read.ts';

export interface StructurePart {
  /** The dialect in which the script is read. */
  readonly dialect: string;
  /** Neither the request nor the script determines the dialect. */
  readonly isAssumed: boolean;
  readonly bytes: Uint8Array;
}

/** The script without its rows and the positions of counters. Their line breaks remain, so that each statement keeps its line. */
export async function* readStructureText(
  source: ByteSource,
  options: SqlOptions,
): AsyncGenerator<StructurePart, void, undefined> {
  let [dialect, isAssumed] = ['', true];
  let text = '';
  const takeText = (): StructurePart => {
    const part = { dialect, isAssumed, bytes: Buffer.from(text, 'latin1') };
    text = '';
    return part;
  };
  yield* readScript(source, options, {
    open: (name, { choice, isAssumed: isGuess }) => {
      [dialect, isAssumed] = [choice.name, isGuess];
      return openTrial(name, choice, options.ddl);
    },
    readNext: (sql) => {
      const { lexer } = sql.script;
      const from = lexer.at;
      if (!readNext(sql)) return false;
      const unit = lexer.text.slice(from, lexer.at);
      text += sql.isStructure ? unit : unit.replaceAll(/[^\n]+/g, '');
      return true;
    },
    take: () => (text.length < partLength ? noPart : [takeText()]),
  });
  yield takeText();
}

/** Parts are not much shorter, except the last one. */
const partLength = 64 * 1024;
const noPart: readonly StructurePart[] = [];
