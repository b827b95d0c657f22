/** psql's `\connect`, which says what database the statements behind it are of. */
import { tokenize } from '../../sql/lexer.ts';
import { postgresLexicalRules } from './lexical-rules.ts';

export interface ConnectLine {
  readonly at: number;
  readonly database: string;
}

const beginsLine = /^[ \t]*\\c/m;
const connectLine = /^\\c(?:onnect)?[ \t]+(?:-reuse-previous=\w+[ \t]+)?(.+)$/;

/** In their order; those that stay in the same database are left out. */
export function connectLines(text: string): readonly ConnectLine[] {
  if (!beginsLine.test(text)) return [];
  return tokenize(text, postgresLexicalRules).flatMap(({ kind, start, end }) => {
    const told = kind === 'meta-line' ? connectLine.exec(text.slice(start, end))?.[1] : undefined;
    const database = databaseIn(told ?? '-');
    return database === '-' ? [] : [{ at: start, database }];
  });
}

/** `shop`, `"shop"`, `shop owner`, `"dbname='shop'"` */
function databaseIn(told: string): string {
  const named = /dbname\s*=\s*\\?'?([^'"\s]+)/.exec(told)?.[1];
  return named ?? /^"([^"]+)"/.exec(told)?.[1] ?? told.trim().split(/\s/, 1)[0] ?? '-';
}
