/** Reads triggers, routines, events and sequences of a dump, with the settings under which they are created. */
import { findTable } from '../../../sql/ddl/draft.ts';
import { readName } from '../../../sql/expression/read-literal.ts';
import { addProgram, programHead, removeProgram } from '../../../sql/ddl/read-program.ts';
import { bareProgram } from '../language/program-text.ts';
import { mysqlLexicalRules } from '../language/lexical-rules.ts';
import { quoteName } from '../dialect/ddl.ts';
import { codeOf } from '../../../portable/lexer/code.ts';
import { withoutDatabase } from './without-database.ts';
import type { ScriptStatement } from '../../../sql/ddl/script-statement.ts';
import type { ProgramSession } from '../../../model/stored-program.ts';
import type { SchemaDraft } from '../../../sql/ddl/draft.ts';
import type { ProgramHead } from '../../../sql/ddl/read-program.ts';
import type { ScriptReader } from '../../../sql/ddl/read-script.ts';

const kinds = ['TRIGGER', 'FUNCTION', 'PROCEDURE', 'EVENT', 'SEQUENCE'];

/** The settings that a server stores with programs. */
const settings = ['SQL_MODE', 'TIME_ZONE'] as const;

/** SQL of the values. Undefined: the default of the server. */
type SettingValues = Map<string, string | undefined>;

export interface ProgramReader {
  /** Called for each statement that the settings of later programs may depend on. */
  followSettings(statement: ScriptStatement): void;
  readonly readProgram: NonNullable<ScriptReader['readProgram']>;
}

export function createProgramReader(): ProgramReader {
  const values: SettingValues = new Map();
  const saved: SettingValues = new Map();
  return {
    followSettings: (statement) => {
      if (statement.firstWord === 'SET') for (const [name, value] of assignments(statement)) assign(name, value, { values, saved }); // prettier-ignore
    },
    readProgram: (statement, draft) => {
      const head = programHead(statement, kinds, mysqlLexicalRules);
      if (head === undefined || head.nameParts.length > 2) return false;
      const { kind, nameParts } = head;
      const name = nameParts.at(-1) ?? '';
      if (nameParts.length > 1 && !isOwnDatabase(nameParts[0], draft))
        return leaveOut(statement, head, draft);
      const key = `${kind} ${name.toLowerCase()}`;
      if (statement.firstWord === 'DROP') {
        const isFound = removeProgram(draft, (program) => program.key === key);
        return isFound || statement.code.some(({ word }) => word === 'EXISTS');
      }
      if (statement.firstWord !== 'CREATE') return false;
      const table = kind === 'trigger' ? tableOfTrigger(statement, head, draft) : undefined;
      if (kind === 'trigger' && table === undefined) return false;
      addProgram(
        draft,
        {
          kind,
          name,
          key,
          needs: [],
          line: statement.line,
          // Bodies may name what does not exist yet, and views call functions.
          stage: kind === 'function' || kind === 'sequence' ? 'before tables' : 'after rows',
          text: withoutOwnDatabase(bareProgram(statement.text), draft),
          session: sessionOf(values),
          drop: `DROP ${kind.toUpperCase()} IF EXISTS ${quoteName(name)}`,
          ...(table === undefined ? {} : { table }),
        },
        head,
      );
      return true;
    },
  };
}

/** The database that the file creates its tables in. */
function ownDatabase({ tablesDatabase, database }: SchemaDraft): string | undefined {
  return tablesDatabase ?? database;
}

function isOwnDatabase(name: string | undefined, draft: SchemaDraft): boolean {
  return name !== undefined && name.toLowerCase() === ownDatabase(draft)?.toLowerCase();
}

function leaveOut(
  { line }: ScriptStatement,
  { kind, nameParts }: ProgramHead,
  draft: SchemaDraft,
): true {
  const [database, name] = nameParts;
  draft.warnings.push(
    `Line ${line}: the ${kind} ${name} is left out: it is in another database, ${database}.`,
  );
  return true;
}

/** Programs mean the tables of the database that they are imported into. In the body, the name may also be that of a table. */
function withoutOwnDatabase(text: string, draft: SchemaDraft): string {
  const database = ownDatabase(draft);
  if (database === undefined) return text;
  const isTable = findTable(draft, { localName: database }) !== undefined;
  const body = isTable ? bodyStart(text) : text.length;
  return withoutDatabase(text.slice(0, body), new Set([database])) + text.slice(body);
}

/** Undefined if the script does not create it: an import changes no other table. */
function tableOfTrigger(
  { text }: ScriptStatement,
  { rest }: ProgramHead,
  draft: SchemaDraft,
): string | undefined {
  const at = rest.findIndex(({ word }) => word === 'ON') + 1;
  const nameAt = (i: number): string =>
    readName(text.slice(rest[i]?.start ?? 0, rest[i]?.end ?? 0), mysqlLexicalRules);
  const isQualified = rest[at + 1]?.word === '.';
  if (isQualified && !isOwnDatabase(nameAt(at), draft)) return undefined;
  return findTable(draft, { localName: nameAt(isQualified ? at + 2 : at) })?.localName;
}

/** Where the body of a trigger begins, and the parameters of a routine or the schedule of an event. */
function bodyStart(text: string): number {
  const code = codeOf(text, mysqlLexicalRules);
  const at = code.findIndex(({ word }) => word === 'ROW' || word === '(' || word === 'SCHEDULE');
  return code[at]?.start ?? text.length;
}

/** The names and the values of `SET a = b, @c = d`. */
function assignments({ text, code }: ScriptStatement): readonly (readonly [string, string])[] {
  const parts: [string, string][] = [];
  let from = 1;
  let depth = 0;
  for (let i = 1; i <= code.length; i++) {
    const word = code[i]?.word;
    depth += Number(word === '(') - Number(word === ')');
    if (i < code.length && (word !== ',' || depth > 0)) continue;
    const part = code.slice(from, i);
    const equals = part.findIndex((token) => token.word === '=' || token.word === ':=');
    const [target, value] = [part.slice(0, equals), part.slice(equals + 1)];
    from = i + 1;
    if (equals === -1 || target.length === 0 || value.length === 0) continue;
    parts.push([
      text.slice(target[0]!.start, target.at(-1)!.end),
      text.slice(value[0]!.start, value.at(-1)!.end),
    ]);
  }
  return parts;
}

function assign(
  target: string,
  value: string,
  { values, saved }: { readonly values: SettingValues; readonly saved: SettingValues },
): void {
  const targetSetting = settingOf(target);
  const source = settingOf(value);
  if (target.startsWith('@') && !target.startsWith('@@')) {
    if (source !== undefined) saved.set(target.toUpperCase(), values.get(source));
  } else if (targetSetting !== undefined) {
    if (/^@[^@]/.test(value)) values.set(targetSetting, saved.get(value.toUpperCase()));
    // Text only: a value of the script runs in the studio's session.
    else values.set(targetSetting, /^'[^'\\]*'$/.test(value) ? value : undefined);
  }
}

/** `SESSION sql_mode`, `@@sql_mode`, `@@SESSION.sql_mode` */
function settingOf(text: string): string | undefined {
  const name = /^(?:@@)?(?:(?:SESSION|LOCAL)\s*\.?\s*)?(\w+)$/i.exec(text)?.[1]?.toUpperCase();
  return settings.find((setting) => setting === name);
}

function sessionOf(values: SettingValues): ProgramSession {
  const valueOf = (setting: string): string => values.get(setting) ?? `@@GLOBAL.${setting}`;
  const list = (render: (setting: string) => string): string =>
    `SET ${settings.map(render).join(', ')}`;
  return {
    begin: [
      list((setting) => `@studio_${setting} = @@${setting}`),
      list((setting) => `${setting} = ${valueOf(setting)}`),
    ],
    end: [list((setting) => `${setting} = @studio_${setting}`)],
  };
}
