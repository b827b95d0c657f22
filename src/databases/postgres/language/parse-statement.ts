/** Parses statements with PostgreSQL's parser, and maps locations in its trees to tokens. */
import { hasSqlDetails, loadModule, parseSync } from 'libpg-query';
import { DdlError, openCursor } from '../../../sql/ddl/cursor.ts';
import { postgresLexicalRules } from './lexical-rules.ts';
import type { Node } from 'libpg-query';
import type { Cursor, StatementText } from '../../../sql/ddl/cursor.ts';

export const loadParser: () => Promise<void> = loadModule;

/** A statement as a parse tree and as tokens. */
export interface ParsedStatement {
  readonly node: Node;
  readonly cursor: Cursor;
  /** The index of the token at a location of the tree. */
  tokenAt(location: number | undefined): number;
}

/** Undefined for a text without a statement. Throws `DdlError`. */
export function parseStatement(statement: StatementText): ParsedStatement | undefined {
  const [first] = parse(statement).stmts ?? [];
  if (first?.stmt === undefined) return undefined;
  const { text } = statement;
  const cursor = openCursor(statement, postgresLexicalRules);
  const unitAt = unitOfByte(text);
  return {
    node: first.stmt,
    cursor,
    tokenAt: (location) => {
      const unit = unitAt(location ?? 0);
      const found = cursor.code.findIndex(({ end }) => end > unit);
      return found === -1 ? cursor.code.length : found;
    },
  };
}

function parse({ text, start }: StatementText): ReturnType<typeof parseSync> {
  try {
    return parseSync(text);
  } catch (error) {
    if (!hasSqlDetails(error)) throw error;
    const characters = error.sqlDetails?.cursorPosition ?? 0;
    const unit = [...text].slice(0, Math.max(0, characters)).join('').length;
    throw new DdlError(sentence(error.message), start + unit);
  }
}

function sentence(message: string): string {
  const near = /^syntax error at or near (".*")$/s.exec(message)?.[1];
  if (near !== undefined) return `${near} is not expected here.`;
  if (message === 'syntax error at end of input')
    return 'The statement ends before it is complete.';
  return `${message.charAt(0).toUpperCase()}${message.slice(1)}.`;
}

/** Locations in trees are UTF-8 byte offsets; JavaScript strings have UTF-16 offsets. */
function unitOfByte(text: string): (byte: number) => number {
  const bytes = Buffer.from(text);
  if (bytes.length === text.length) return (byte) => byte;
  return (byte) => bytes.subarray(0, byte).toString().length;
}
