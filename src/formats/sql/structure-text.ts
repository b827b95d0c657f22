/** Separates the structure of a SQL script from its rows. */
import { lineBreaks, underInitialRules, unitOf, withoutLines } from './other-quoting.ts';
import { readScript } from './read.ts';
import { openTrial, readNext } from './script-units.ts';
import { insertTrigger, warnAboutTriggers } from './triggers-before-rows.ts';
import { isOfShadowTable } from './virtual-tables.ts';
import type { ByteSource } from '../../portable/files/byte-source.ts';
import type { SqlOptions } from './read.ts';
import type { SqlScriptReader } from './script-reader.ts';
import type { InsertTrigger } from './triggers-before-rows.ts';

export interface StructurePart {
  /** The dialect in which the script is read. */
  readonly dialect: string;
  /** Neither the request nor the script determines the dialect. */
  readonly isAssumed: boolean;
  readonly bytes: Uint8Array;
  /** What the structure lacks. */
  readonly warnings: readonly string[];
  /** Whether statements so far contain others that may write rows. */
  readonly hasContainers: boolean;
}

export interface StructureTextOptions extends SqlOptions {
  /** Keeps the rows, which conditions of the script may read. */
  readonly keepsRows: boolean;
}

/** The script without its rows and the positions of counters. Their line breaks remain, so that each statement keeps its line. */
export async function* readStructureText(
  source: ByteSource,
  options: StructureTextOptions,
): AsyncGenerator<StructurePart, void, undefined> {
  let [dialect, isAssumed] = ['', true];
  let text = '';
  let warnings: readonly string[] = [];
  let reader: SqlScriptReader | undefined;
  const triggers: InsertTrigger[] = [];
  const takeText = (): StructurePart => {
    const bytes = Buffer.from(text, 'latin1');
    const hasContainers = reader?.hasContainers === true;
    const part = { dialect, isAssumed, bytes, warnings, hasContainers };
    text = '';
    warnings = [];
    return part;
  };
  yield* readScript(source, options, {
    open: (name, { choice, isAssumed: isGuess }) => {
      [dialect, isAssumed] = [choice.name, isGuess];
      const { ddl, files } = options;
      reader = openTrial(name, choice, { ddl, files });
      return reader;
    },
    readNext: (sql) => {
      const { lexer } = sql.script;
      const unit = unitOf(sql);
      const { virtualTables } = sql.script;
      const known = virtualTables.length;
      if (!readNext(sql)) return false;
      const unitText = lexer.text.slice(unit.start, lexer.at);
      const isIncluded = sql.includes > 0;
      const defined = virtualTables[known];
      if (defined?.isCreated === true) text += `${defined.sql};`;
      if (sql.isStructure && isOfShadowTable(sql.script, unitText)) text += lineBreaks(unitText);
      else if (!sql.isStructure && options.keepsRows && !sql.isFileUnit) text += unitText;
      // The lines of the script that names this one keep their numbers.
      else if (!sql.isStructure) text += isIncluded ? '' : lineBreaks(unitText);
      else {
        const trigger = insertTrigger(sql, { ...unit, text: unitText });
        if (trigger !== undefined) triggers.push(trigger);
        const rewritten = underInitialRules(sql, { ...unit, text: unitText });
        text += isIncluded ? withoutLines(rewritten.text, unit.rules) : rewritten.text;
        if (rewritten.warning !== undefined) warnings = [...warnings, rewritten.warning];
      }
      return true;
    },
    take: () => (text.length < partLength ? noPart : [takeText()]),
  });
  if (reader !== undefined) warnings = [...warnings, ...warnAboutTriggers(reader, triggers)];
  yield takeText();
}

/** Parts are not much shorter, except the last one. */
const partLength = 64 * 1024;
const noPart: readonly StructurePart[] = [];
