/** Checks with the server, before a user's statement runs, that it only reads. */
import { StudioError } from '../../../model/errors.ts';
import { codeOf } from '../../../portable/lexer/code.ts';
import { mysqlLexicalRules } from './lexical-rules.ts';

/** Only the beginning of a text is tokenized, because other requests wait meanwhile. */
const maxTokenizedLength = 16_384;

/** Reads whose columns the server may report only when they run. */
const columnsKnownOnRun: ReadonlySet<string> = new Set([
  'SHOW',
  'HELP',
  'EXPLAIN',
  'DESCRIBE',
  'DESC',
]);

/**
 * Throws unless the prepared statement returns columns, as every read does. SET, DO, COMMIT, CALL,
 * blocks and SELECT … INTO return none, and EXECUTE cannot be prepared, so none of them runs as a
 * read, whatever the text looks like. `columns` is undefined for a statement that cannot be prepared.
 */
export function mustRead(text: string, columns: number | undefined): void {
  if (columns !== undefined && columns > 0) return;
  const code = codeOf(text.slice(0, maxTokenizedLength), mysqlLexicalRules);
  const isVersioned =
    code.some(({ kind }) => kind === 'versioned-open') ||
    /\/\*M?!/.test(text.slice(maxTokenizedLength - 4));
  if (!isVersioned && columnsKnownOnRun.has(code[0]?.word ?? '')) return;
  throw new StudioError(
    'statement_refused',
    'The server does not treat this statement as a read, so it is not run.',
  );
}
