/** Applies the commands of sqlcmd in a schema file, as SSDT and sqlpackage write them. */
import { positionCounter } from '../../../portable/lexer/position.ts';
import { tokenize } from '../../../portable/lexer/lexer.ts';
import { sqlserverLexicalRules } from '../language/lexical-rules.ts';
import type { DdlProblem } from '../../../sql/ddl/ddl-reader.ts';

export interface SqlcmdScript {
  /** With the values of variables in place of `$(name)`. Every line is where it was. */
  readonly text: string;
  readonly warnings: readonly string[];
  readonly problems: readonly DdlProblem[];
}

const hasCommand = /^[ \t]*(?::[a-z]|!!)/im;

/** Commands that only affect how sqlcmd runs the script and shows results. */
const silent = /^:(?:on|error|out|list|listvar|help|serverlist|perftrace|xml|reset|ed)\b/i;

/** https://learn.microsoft.com/en-us/sql/tools/sqlcmd/sqlcmd-use-scripting-variables */
export function runSqlcmd(text: string): SqlcmdScript {
  if (!hasCommand.test(text)) return { text, warnings: [], problems: [] };
  const values = new Map<string, string>();
  const warnings: string[] = [];
  const problems: DdlProblem[] = [];
  const parts: string[] = [];
  const position = positionCounter(text);
  let isSqlcmd = false;
  for (const [start, end, kind] of variableRanges(text)) {
    const part = text.slice(start, end);
    if (kind === 'command') {
      isSqlcmd = true;
      if (!setVariable(part, values) && !silent.test(part))
        warnings.push(
          `Line ${position(start).line}: the command ${part.trim()} of sqlcmd is left out.`,
        );
      parts.push(part);
    } else if (kind === 'comment' || !isSqlcmd) parts.push(part);
    else
      parts.push(
        part.replaceAll(/\$\(([\w-]+)\)/g, (reference, name: string, offset: number) => {
          const value = values.get(name.toLowerCase());
          if (value === undefined && kind === 'code')
            problems.push({
              code: 'parse_failed',
              message: `The variable ${reference} of sqlcmd has no value. Add a line :setvar ${name} "…".`,
              ...position(start + offset),
            });
          return value ?? reference;
        }),
      );
  }
  return { text: parts.join(''), warnings, problems };
}

type Kind = 'command' | 'comment' | 'string' | 'code';

/** The whole text in ranges of one kind. A variable in code is several tokens of one range. */
function variableRanges(text: string): readonly (readonly [number, number, Kind])[] {
  const ranges: [number, number, Kind][] = [];
  for (const { kind, start, end } of tokenize(text, sqlserverLexicalRules)) {
    const found = rangeKind(kind, text.slice(start, start + 2));
    const last = ranges.at(-1);
    if (last !== undefined && last[2] === found && found === 'code') last[1] = end;
    else ranges.push([start, end, found]);
  }
  return ranges;
}

function rangeKind(kind: string, beginning: string): Kind {
  if (kind === 'meta-line') return /^go/i.test(beginning) ? 'code' : 'command';
  return kind === 'comment' || kind === 'string' ? kind : 'code';
}

/** `:setvar name value`, `:setvar name "a ""value"""`; without a value, the variable is removed. */
function setVariable(line: string, values: Map<string, string>): boolean {
  const found = /^:setvar[ \t]+([\w-]+)[ \t]*(?:"((?:[^"]|"")*)"|(\S*))/i.exec(line);
  if (found === null) return false;
  const [, name = '', quoted, bare = ''] = found;
  const value = quoted?.replaceAll('""', '"') ?? bare;
  if (value === '' && quoted === undefined) values.delete(name.toLowerCase());
  else values.set(name.toLowerCase(), value);
  return true;
}
