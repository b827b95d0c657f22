/** Masked values are in no result, whatever tools are called with: generated patterns and calls. */
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createApp } from '../../src/http/app.ts';
import { createMasks } from '../../src/mcp/masks.ts';
import { createAgentServers } from '../../src/mcp/server.ts';
import { createStudioApi } from '../../src/mcp/studio-api.ts';
import { createStudio } from '../../src/studio/studio.ts';
import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { makeFolder } from '../cli/command.ts';

/** The last has no key, so that cursors hold all values of a row. */
const tables = ['users', 'user_notes', 'user_log'] as const;
const columns = ['name', 'secret_key', 'a.b'] as const;

/** Every cell has a text that occurs nowhere else. */
function cell(table: string, column: string, id: number): string {
  return `value-${table}-${column}-${id}-`;
}

function makeDatabase(): string {
  const file = join(makeFolder(), 'masked.db');
  const database = new BetterSqlite3(file);
  for (const table of tables) {
    const list = columns.map((column) => `"${column}" TEXT`).join(', ');
    const parent = table === 'user_notes' ? ', user_id INTEGER REFERENCES users' : '';
    const key = table === 'user_log' ? '' : ' PRIMARY KEY';
    database.exec(`CREATE TABLE ${table} (id INTEGER${key}, ${list}${parent})`);
    const names = ['id', ...columns, ...(parent === '' ? [] : ['user_id'])];
    const insert = database.prepare(
      `INSERT INTO ${table} (${names.map((name) => `"${name}"`).join(', ')}) VALUES (${names.map(() => '?').join(', ')})`,
    );
    for (const id of [1, 2])
      insert.run(
        id,
        ...columns.map((column) => cell(table, column, id)),
        ...(parent === '' ? [] : [1]),
      );
  }
  database.close();
  return file;
}

/** Cursors are base64 texts that may hold values of rows. */
function withDecodedCursors(text: string): string {
  return text.replaceAll(
    /(?<=next_cursor[\\": ]+)[\w+/=-]+/g,
    (cursor) => `${cursor} ${Buffer.from(cursor, 'base64').toString()}`,
  );
}

/** A model of the patterns in a few lines: the last dot separates the column. */
function isMasked(pattern: string, table: string, column: string): boolean {
  const [columnPattern = '', ...rest] = pattern.toLowerCase().split('.').toReversed();
  const tablePattern = rest.length === 0 ? '*' : rest.toReversed().join('.');
  return like(tablePattern, table) && like(columnPattern, column);
}

function like(pattern: string, text: string): boolean {
  if (pattern === '') return text === '';
  const [first = '', ...rest] = pattern;
  const tail = rest.join('');
  if (first === '*') return like(tail, text) || (text !== '' && like(pattern, text.slice(1)));
  return text.startsWith(first) && like(tail, text.slice(1));
}

const pattern = fc.oneof(
  fc.constantFrom(
    'name',
    'SECRET_KEY',
    'users.name',
    '*.secret*',
    'user*.n*',
    'users.*',
    '*',
    'users.a.b',
    'b',
  ),
  fc
    .tuple(fc.constantFrom(...tables, '*', 'u*s'), fc.constantFrom(...columns, '*e*'))
    .map((parts) => parts.join('.')),
);

const filter = fc.record({
  column: fc.constantFrom(...columns),
  operator: fc.constantFrom('eq', 'contains', 'gt', 'null'),
  // No whole value of a cell: error messages repeat what was asked for.
  value: fc.constantFrom('value-users-name-', 'value', 'false'),
});

const input = fc.record(
  {
    table: fc.constantFrom(...tables),
    id: fc.constantFrom(1, 2),
    relation: fc.constantFrom('User', 'UserNotes', 'users', 'user_notes'),
    filters: fc.array(filter, { maxLength: 2 }),
    sort: fc.array(fc.record({ column: fc.constantFrom(...columns) }), { maxLength: 1 }),
    search: fc.constantFrom('value', 'value-users-name-1'),
    limit: fc.constantFrom(1, 20),
  },
  { requiredKeys: ['table', 'id', 'relation'] },
);

describe('masks', () => {
  test('hide values from every tool and resource', async () => {
    const studio = await createStudio({ url: makeDatabase(), readOnly: true });
    const app = createApp(studio);
    const reader = createStudioApi((request) => app.fetch(request), 'http://localhost/studio/api');
    let shown = 0;
    const property = fc.asyncProperty(
      fc.array(pattern, { minLength: 1, maxLength: 3 }),
      fc.array(input, { minLength: 1, maxLength: 4 }),
      async (patterns, inputs) => {
        const masks = createMasks(patterns);
        const create = createAgentServers({ reader, writer: undefined, masks, version: '1' });
        const [near, far] = InMemoryTransport.createLinkedPair();
        const server = create();
        const client = new Client({ name: 'test', version: '1' });
        await Promise.all([server.connect(far as never), client.connect(near)]);
        const { tools } = await client.listTools();
        const { resources } = await client.listResources();
        const texts: string[] = [];
        for (const { name } of tools)
          for (const each of inputs)
            texts.push(JSON.stringify(await client.callTool({ name, arguments: { ...each } })));
        for (const { uri } of resources) {
          const read = client.readResource({ uri }).then((found) => JSON.stringify(found));
          texts.push(await read.catch(String));
        }
        await client.close();
        const all = texts.map(withDecodedCursors).join('\n');
        for (const table of tables)
          for (const column of columns)
            for (const id of [1, 2]) {
              const text = cell(table, column, id);
              if (patterns.some((each) => isMasked(each, table, column)))
                expect(all).not.toContain(text);
              else shown += Number(all.includes(text));
            }
      },
    );
    try {
      await fc.assert(property, { numRuns: 25 });
      expect(shown).toBeGreaterThan(0);
    } finally {
      await studio.close();
    }
  });

  test('show columns that no pattern matches', () => {
    const masks = createMasks(['users.name']).within([]);
    const row = { name: 'Ada', other: 'x', empty: null };
    expect(masks.apply('users', [row])).toEqual([{ ...row, name: '(masked)' }]);
    expect(masks.apply('others', [row])).toEqual([row]);
    expect(masks.apply('users', [{ name: null }])).toEqual([{ name: null }]);
  });
});
