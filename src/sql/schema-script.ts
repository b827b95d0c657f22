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
  const comments = lines.map((line) => `-- ${commentText(line)}\n`);
  return `${comments.join('')}\n${statements.map((statement) => statement + head.terminator).join('\n')}`;
}

/** A text that stays within its line, and that every format takes in a comment. */
export function commentText(text: string): string {
  return text.replaceAll(/[\p{Cc}\u2028\u2029\ufeff\ufffe\uffff]+/gu, ' ');
}
