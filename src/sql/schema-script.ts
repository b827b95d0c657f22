import type { SchemaStatements } from './create-schema.ts';

export interface ScriptHead {
  readonly database: string;
  /** What people call the database that the SQL is for. */
  readonly title: string;
  /** What ends a statement, its line break too. */
  readonly terminator: string;
}

/** The statements as a file, with what they do not make told at its head. The same bytes for the same schema. */
export function schemaScript({ statements, warnings }: SchemaStatements, head: ScriptHead): string {
  const lines = [
    `Structure of ${head.database}, for ${head.title}`,
    'Written by database-studio',
    ...warnings,
  ];
  const comments = lines.map((line) => `-- ${line.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ')}\n`);
  return `${comments.join('')}\n${statements.map((statement) => statement + head.terminator).join('\n')}`;
}
