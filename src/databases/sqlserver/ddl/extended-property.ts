import { accept, behind, takeToken, textBetween, wordAt } from '../../../sql/ddl/cursor.ts';
import { changeColumn } from '../../../sql/ddl/change-table.ts';
import { changeTable } from '../../../sql/ddl/draft.ts';
import { readString } from '../../../sql/expression/read-literal.ts';
import type { Cursor } from '../../../sql/ddl/cursor.ts';
import type { DdlRules } from '../../../sql/ddl/ddl-rules.ts';
import type { Draft } from '../../../sql/ddl/draft.ts';

/** In the order in which they stand when they are not named. */
const parameters = [
  '@name',
  '@value',
  '@level0type',
  '@level0name',
  '@level1type',
  '@level1name',
  '@level2type',
  '@level2name',
] as const;

type Arguments = ReadonlyMap<string, string | undefined>;

/** A comment of a table or column; other properties are nobody's but their author's. */
export function takeExtendedProperty(cursor: Cursor, draft: Draft, rules: DdlRules): boolean {
  const given = takeArguments(cursor);
  const comment = given.get('@value');
  const table = given.get('@level1name');
  if (given.get('@name') !== 'MS_Description' || comment === undefined || table === undefined)
    return true;
  const namespace = given.get('@level0name') ?? 'dbo';
  const column = given.get('@level2name');
  const isColumn = given.get('@level2type')?.toUpperCase() === 'COLUMN';
  if (column !== undefined && !isColumn) return true;
  changeTable(draft, rules.reference([namespace, table]), (found) =>
    column === undefined
      ? { ...found, comment }
      : changeColumn(found, column, (each) => ({ ...each, comment })),
  );
  return true;
}

function takeArguments(cursor: Cursor): Arguments {
  const given = new Map<string, string | undefined>();
  let place = 0;
  do {
    const token = cursor.code[cursor.at];
    const isNamed = token?.kind === 'variable' && wordAt(cursor, 1) === '=';
    const name = isNamed
      ? cursor.text.slice(token.start, token.end).toLowerCase()
      : (parameters[place] ?? '');
    if (isNamed) cursor.at += 2;
    given.set(name, takeValue(cursor));
    place += 1;
  } while (accept(cursor, ','));
  return given;
}

/** A text's own content; of other values it is enough that they are none. */
function takeValue(cursor: Cursor): string | undefined {
  const from = cursor.at;
  const token = takeToken(cursor, 'a value');
  if (token.word === '(') cursor.at = behind(cursor, from);
  const written = textBetween(cursor, from, cursor.at);
  if (token.kind !== 'string') return token.word === 'NULL' ? undefined : written;
  const literal = readString(written, cursor.lexical);
  return literal?.kind === 'text' ? literal.value : undefined;
}
