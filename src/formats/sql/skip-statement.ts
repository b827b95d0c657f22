/** Statements without rows: left out where dump tools put them around rows, else refused. */
import { tokenize } from '../../sql/lexer.ts';
import { split } from '../../sql/split.ts';
import { statementError } from './statement-error.ts';
import { IncompleteUnit, lookaheadMargin, syntaxError } from './script.ts';
import { trackSettings } from './session.ts';
import { kindOfStatement } from './statement-kinds.ts';
import { trackTransaction } from './transactions.ts';
import type { ScriptLanguage } from '../../sql/split.ts';
import type { ImportContext, Warning } from '../row-import.ts';
import type { Script, ScriptToken } from './script.ts';
import type { ScriptSession } from './session.ts';
import type { TransactionState } from './transactions.ts';
import type { StatementKind } from './statement-kinds.ts';

interface Passing {
  readonly script: Script;
  readonly language: ScriptLanguage;
  readonly reading: ImportContext;
  readonly ddl: 'refuse' | 'skip';
  readonly session: ScriptSession;
  readonly transactions: TransactionState;
  /** How many rows the script has had so far. */
  readonly rowsTaken: number;
}

interface Passed {
  readonly token: ScriptToken;
  /** Called before what the statement sets holds. */
  readonly onChange: () => void;
}

/** Passes the statement that begins with a token; its delimiter stays. */
export function skipStatement(
  { script, language, reading, ddl, session, transactions, rowsTaken }: Passing,
  { token, onChange }: Passed,
): void {
  const { lexer } = script;
  const end = endOfStatement(script, language, token.start);
  const text = lexer.text.slice(token.start, end);
  demandEnds(script, { text, start: token.start });
  const kind = kindOfStatement(text, lexer.rules);
  if (kind === 'ddl' && ddl === 'skip') reading.warn(structureLeftOut);
  else if (kind !== 'around')
    throw statementError(script, { text, start: token.start, why: whyRefused(kind) });
  trackTransaction(transactions, script, { text, start: token.start, rows: rowsTaken });
  if (kind === 'around')
    trackSettings({ script, session, reading }, { text, start: token.start }, onChange);
  passText(script, end);
}

/** Else what stands behind would be passed with it. */
function demandEnds(
  script: Script,
  { text, start }: { readonly text: string; readonly start: number },
): void {
  const open = tokenize(text, script.lexer.rules).find(
    ({ kind, unterminated }) => unterminated === true && kind !== 'versioned-open',
  );
  if (open !== undefined)
    throw syntaxError(
      script,
      { start: start + open.start, end: start + open.end },
      'a quote or comment begins that has no end',
    );
}

/** Passes `/*M!999999\\- … *\/`, with which MariaDB's dumps speak to their client. */
export function skipClientComment(script: Script): void {
  const { lexer, isLast } = script;
  const close = lexer.text.indexOf('*/', lexer.at);
  if (close === -1 && !isLast) throw new IncompleteUnit();
  passText(script, close === -1 ? lexer.text.length : close + 2);
}

function passText({ lexer }: Script, to: number): void {
  lexer.at = to;
  lexer.atLineStart = false;
  lexer.inVersioned = false;
  lexer.continued = undefined;
  lexer.copy = 'other';
}

const firstProbe = 2048;

/** Looks at twice as much until the statement ends well before what is looked at. */
function endOfStatement({ lexer, isLast }: Script, language: ScriptLanguage, from: number): number {
  const { text, rules, delimiter } = lexer;
  const before = delimiter === ';' ? '' : `DELIMITER ${delimiter}\n`;
  for (let size = firstProbe; ; size *= 2) {
    const probe = before + text.slice(from, from + size);
    const [first] = split(probe, { ...language, lexical: rules });
    const end = first?.end ?? probe.length;
    const isAll = from + size >= text.length;
    if (end < probe.length - lookaheadMargin || (isAll && isLast))
      return from + end - before.length;
    if (isAll) throw new IncompleteUnit();
  }
}

const structureLeftOut: Warning = (count) =>
  `${count} ${count === 1 ? 'statement' : 'statements'} on structure ${count === 1 ? 'was' : 'were'} left out.`;

function whyRefused(kind: StatementKind): string {
  return kind === 'ddl'
    ? 'makes structure, which a data import does not: import the schema first, or leave such statements out with ddl=skip'
    : 'is no INSERT, REPLACE or COPY of rows that stand in the script';
}
