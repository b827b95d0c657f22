import { presentationOf } from '../../../src/databases/presentations.ts';
import { split } from '../../../src/portable/lexer/split.ts';

/** A statement and where it begins in the text of the editor, in UTF-16 units. */
export interface PlacedStatement {
  readonly text: string;
  readonly from: number;
}

/** The last text that was split: each key press needs its statements several times. */
let last: {
  readonly text: string;
  readonly driver: string | undefined;
  readonly statements: readonly PlacedStatement[];
} = { text: '', driver: undefined, statements: [] };

/** The statements of a text, by the rules of the database. The text as it is while the database is unknown. */
export function statementsIn(text: string, driver: string | undefined): readonly PlacedStatement[] {
  if (last.text !== text || last.driver !== driver)
    last = { text, driver, statements: splitText(text, driver) };
  return last.statements;
}

function splitText(text: string, driver: string | undefined): readonly PlacedStatement[] {
  const database = presentationOf(driver);
  if (database === undefined) return text.trim() === '' ? [] : [{ text, from: 0 }];
  const { lexicalRules: lexical, splitRules: splitting } = database;
  return split(text, { lexical, splitting }).map((found) => ({
    text: found.text,
    from: found.start,
  }));
}

interface Range {
  readonly from: number;
  readonly to: number;
}

/** The statements that the selection or the cursor refers to: those selected, or the one at or before the cursor. */
export function statementsAt(
  text: string,
  { from, to }: Range,
  driver: string | undefined,
): readonly PlacedStatement[] {
  if (from !== to)
    return statementsIn(text.slice(from, to), driver).map((found) => ({
      text: found.text,
      from: found.from + from,
    }));
  const all = statementsIn(text, driver);
  const current = all.findLast((found) => found.from <= from) ?? all[0];
  return current === undefined ? [] : [current];
}
