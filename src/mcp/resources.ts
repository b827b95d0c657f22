/** What clients can attach to a conversation: the structure as a file, and the rows of a table as CSV. */
import { ResourceTemplate } from '@modelcontextprotocol/server';
import { readStructure } from './structure.ts';
import { ApiError } from './studio-api.ts';
import type { McpServer } from '@modelcontextprotocol/server';
import type { ToolContext } from './tool.ts';

const maxBytes = 1024 * 1024;

/** Formats of the schema export, by the name of their file. */
const schemaFiles = [
  { name: 'schema.sql', format: 'sql', mimeType: 'application/sql' },
  { name: 'schema.dbml', format: 'dbml', mimeType: 'text/plain' },
  { name: 'schema.mmd', format: 'mermaid', mimeType: 'text/plain' },
  { name: 'schema.json', format: 'json', mimeType: 'application/json' },
] as const;

export function registerResources(server: McpServer, context: ToolContext): void {
  const { reader, masks } = context;
  for (const { name, format, mimeType } of schemaFiles)
    server.registerResource(
      name,
      `studio:///${name}`,
      { title: `Structure of the database (${format})`, mimeType },
      async (uri) => {
        const request = { path: ['export', 'schema'], query: { format } };
        const text = await reader.readFile(request, maxBytes);
        return { contents: [{ uri: uri.href, mimeType, text }] };
      },
    );
  const mimeType = 'text/csv';
  const list = async () => {
    const { tables } = await readStructure(reader);
    const resources = tables.map(({ name }) => ({
      name: `${name}.csv`,
      uri: `studio:///tables/${encodeURIComponent(name)}.csv`,
      mimeType,
    }));
    return { resources };
  };
  server.registerResource(
    'rows',
    new ResourceTemplate('studio:///tables/{table}.csv', { list }),
    { title: 'Rows of a table as CSV, up to 1 MB', mimeType },
    async (uri, { table: segment }) => {
      const table = decodeURIComponent(String(segment));
      if (!masks.isEmpty)
        throw new ApiError(
          'Columns are masked, so rows are not exported: use read_rows.',
          'masked',
        );
      const path = ['tables', encodeURIComponent(table), 'export'];
      const text = await reader.readFile({ path, query: { format: 'csv' } }, maxBytes);
      return { contents: [{ uri: uri.href, mimeType, text }] };
    },
  );
}
