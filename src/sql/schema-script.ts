import type { SchemaStatements } from './create-schema.ts';
import type { DumpTool } from './ddl/ddl-reader.ts';

export interface ScriptHead {
  /** A dump has rows too. */
  readonly content: 'Structure' | 'Dump';
  readonly database: string;
  /** The display name of the target database, for example "SQL Server". */
  readonly title: string;
  /** The text that ends a statement, including its line break. */
  readonly terminator: string;
}

const lastComment = '-- End of the dump';

/** After its statements, a dump has only comments. */
export const endOfDump = `\n${lastComment}\n`;

export const studioDumps: DumpTool = {
  name: 'database-studio',
  begin: /^-- Dump of .*\n-- Written by database-studio$/m,
  end: new RegExp(`^${lastComment}$`, 'm'),
  lastComment,
};

/** The statements as a file whose header comments list the warnings. The same schema always yields the same bytes. */
export function schemaScript(
  { statements, warnings }: Pick<SchemaStatements, 'statements' | 'warnings'>,
  head: ScriptHead,
): string {
  const lines = [
    `${head.content} of ${head.database}, for ${head.title}`,
    'Written by database-studio',
    ...warnings,
  ];
  const comments = lines.map((line) => `-- ${commentText(line)}\n`);
  return `${comments.join('')}\n${statements.map((statement) => statement + head.terminator).join('\n')}`;
}

/** Replaces control characters and line breaks, so that the text is one line of a comment in every format. */
export function commentText(text: string): string {
  return text.replaceAll(/[\p{Cc}\u2028\u2029\ufeff\ufffe\uffff]+/gu, ' ');
}
