import { accept, indexAfter, consumeToken, textBetween, wordAt } from '../../../sql/ddl/cursor.ts';
import { changeColumn } from '../../../sql/ddl/change-table.ts';
import { changeTable } from '../../../sql/ddl/draft.ts';
import { readString } from '../../../sql/expression/read-literal.ts';
import type { Cursor } from '../../../sql/ddl/cursor.ts';
import type { DdlRules } from '../../../sql/ddl/ddl-rules.ts';
import type { SchemaDraft } from '../../../sql/ddl/draft.ts';

/** The parameters of sp_addextendedproperty in positional order. */
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

/** Parses a comment (MS_Description) of a table or column; other properties are ignored. */
export function takeExtendedProperty(cursor: Cursor, draft: SchemaDraft, rules: DdlRules): boolean {
  const given = takeArguments(cursor);
  const comment = given.get('@value');
  const table = given.get('@level1name');
  if (given.get('@name') !== 'MS_Description' || comment === undefined || table === undefined)
    return true;
  const namespace = given.get('@level0name') ?? 'dbo';
  const column = given.get('@level2name');
  const isColumn = given.get('@level2type')?.toUpperCase() === 'COLUMN';
  if (column !== undefined && !isColumn) return true;
  changeTable(draft, rules.tableReference([namespace, table]), (found) =>
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

/** The content of a string; for other values only NULL matters. */
function takeValue(cursor: Cursor): string | undefined {
  const from = cursor.at;
  const token = consumeToken(cursor, 'a value');
  if (token.word === '(') cursor.at = indexAfter(cursor, from);
  const written = textBetween(cursor, from, cursor.at);
  if (token.kind !== 'string') return token.word === 'NULL' ? undefined : written;
  const literal = readString(written, cursor.lexical);
  return literal?.kind === 'text' ? literal.value : undefined;
}
