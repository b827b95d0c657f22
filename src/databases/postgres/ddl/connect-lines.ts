/** psql's `\connect`, which selects the database of the statements that follow. */
import { connectedDatabase } from '../../../sql/connected-database.ts';
import { tokenize } from '../../../portable/lexer/lexer.ts';
import { postgresLexicalRules } from '../language/lexical-rules.ts';

export interface ConnectLine {
  readonly at: number;
  readonly database: string;
}

const beginsLine = /^[ \t]*\\c/m;

/** In order of position, without lines that keep the current database. */
export function connectLines(text: string): readonly ConnectLine[] {
  if (!beginsLine.test(text)) return [];
  return tokenize(text, postgresLexicalRules).flatMap(({ kind, start, end }) => {
    if (kind !== 'meta-line') return [];
    const database = connectedDatabase(text.slice(start, end));
    return database === undefined ? [] : [{ at: start, database }];
  });
}
