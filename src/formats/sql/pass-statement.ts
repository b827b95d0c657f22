/** Statements without rows: left out where dump tools put them around rows, else refused. */
import { tokenize } from '../../sql/lexer.ts';
import { split } from '../../sql/split.ts';
import { refusal } from './refusal.ts';
import { Incomplete, margin, unexpected } from './script.ts';
import { followSettings } from './session.ts';
import { kindOfStatement } from './statement-kinds.ts';
import { followTransaction } from './transactions.ts';
import type { ScriptLanguage } from '../../sql/split.ts';
import type { Reading, Warning } from '../reading.ts';
import type { Script, ScriptToken } from './script.ts';
import type { Session } from './session.ts';
import type { Transactions } from './transactions.ts';
import type { StatementKind } from './statement-kinds.ts';

interface Passing {
  readonly script: Script;
  readonly language: ScriptLanguage;
  readonly reading: Reading;
  readonly ddl: 'refuse' | 'skip';
  readonly session: Session;
  readonly transactions: Transactions;
  /** How many rows the script has had so far. */
  readonly rowsTaken: number;
}

interface Passed {
  readonly token: ScriptToken;
  /** Called before what the statement sets holds. */
  readonly onChange: () => void;
}

/** Passes the statement that begins with a token; its delimiter stays. */
export function passStatement(
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
    throw refusal(script, { text, start: token.start, why: whyRefused(kind) });
  followTransaction(transactions, script, { text, start: token.start, rows: rowsTaken });
  if (kind === 'around')
    followSettings({ script, session, reading }, { text, start: token.start }, onChange);
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
    throw unexpected(
      script,
      { start: start + open.start, end: start + open.end },
      'a quote or comment begins that has no end',
    );
}

/** Passes `/*M!999999\\- … *\/`, with which MariaDB's dumps speak to their client. */
export function passRemark(script: Script): void {
  const { lexer, final } = script;
  const close = lexer.text.indexOf('*/', lexer.at);
  if (close === -1 && !final) throw new Incomplete();
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
function endOfStatement({ lexer, final }: Script, language: ScriptLanguage, from: number): number {
  const { text, rules, delimiter } = lexer;
  const before = delimiter === ';' ? '' : `DELIMITER ${delimiter}\n`;
  for (let size = firstProbe; ; size *= 2) {
    const probe = before + text.slice(from, from + size);
    const [first] = split(probe, { ...language, lexical: rules });
    const end = first?.end ?? probe.length;
    const isAll = from + size >= text.length;
    if (end < probe.length - margin || (isAll && final)) return from + end - before.length;
    if (isAll) throw new Incomplete();
  }
}

const structureLeftOut: Warning = (count) =>
  `${count} ${count === 1 ? 'statement' : 'statements'} on structure ${count === 1 ? 'was' : 'were'} left out.`;

function whyRefused(kind: StatementKind): string {
  return kind === 'ddl'
    ? 'makes structure, which a data import does not: import the schema first, or leave such statements out with ddl=skip'
    : 'is no INSERT, REPLACE or COPY of rows that stand in the script';
}
