/** What the server itself says of a client's own statement before it runs. */
import { StudioError } from '../../../model/errors.ts';
import { codeOf } from '../../../sql/code.ts';
import { mysqlLexicalRules } from './lexical-rules.ts';

/** A longer text is not tokenized whole: this runs while other requests wait. */
const longestLead = 16_384;

/** Reads whose columns the server may know only once they run. */
const columnsKnownLate: ReadonlySet<string> = new Set([
  'SHOW',
  'HELP',
  'EXPLAIN',
  'DESCRIBE',
  'DESC',
]);

/**
 * A statement that reads gives columns, and the server knows them once it has prepared the
 * statement. SET, DO, COMMIT, CALL, blocks, SELECT … INTO and the like have none, and EXECUTE
 * cannot be prepared: whatever the text looks like, none of them runs as a read. `columns` is
 * undefined for a statement that cannot be prepared.
 */
export function mustRead(text: string, columns: number | undefined): void {
  if (columns !== undefined && columns > 0) return;
  const code = codeOf(text.slice(0, longestLead), mysqlLexicalRules);
  const isVersioned =
    code.some(({ kind }) => kind === 'versioned-open') ||
    /\/\*M?!/.test(text.slice(longestLead - 4));
  if (!isVersioned && columnsKnownLate.has(code[0]?.word ?? '')) return;
  throw new StudioError(
    'statement_refused',
    'The server does not take this statement for one that reads, so it is not run.',
  );
}
