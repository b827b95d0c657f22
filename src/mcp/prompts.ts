/** Prompts that a user can choose in a client. */
import { z } from 'zod';
import type { McpServer } from '@modelcontextprotocol/server';

export function registerPrompts(server: McpServer): void {
  server.registerPrompt(
    'explore_database',
    {
      title: 'Explore the database',
      description: 'What the database is about, and how its tables relate.',
    },
    () =>
      userMessage(
        'Use search_schema and describe_tables to learn what this database is about. Say in a few sentences what ' +
          'it stores, list the most important tables with what a row of each is, and how they relate. Do not guess: ' +
          'read a few rows where names do not explain themselves.',
      ),
  );
  server.registerPrompt(
    'answer_question',
    {
      title: 'Answer a question from the data',
      argsSchema: z.object({ question: z.string() }),
    },
    ({ question }) =>
      userMessage(
        `Answer this question from the database: ${question}\n\nFind the tables with search_schema, check their ` +
          'columns with describe_tables, then use read_rows or run_query. Say which rows and which statement the ' +
          'answer rests on, and what remains uncertain.',
      ),
  );
  server.registerPrompt(
    'explain_table',
    { title: 'Explain a table', argsSchema: z.object({ table: z.string() }) },
    ({ table }) =>
      userMessage(
        `Explain the table ${table}: what a row is, what each column holds, which columns identify and reference ` +
          'rows, and what its rows look like. Use describe_tables and read_rows.',
      ),
  );
}

function userMessage(text: string) {
  return { messages: [{ role: 'user' as const, content: { type: 'text' as const, text } }] };
}
