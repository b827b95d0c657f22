/** SQL Server, or its substitute Babelfish, as the kit tests it. */
import { sqlserverDialect } from '../../../src/databases/sqlserver/dialect/dialect.ts';
import { sqlserverLexicalRules } from '../../../src/databases/sqlserver/language/lexical-rules.ts';
import { codeOf } from '../../../src/portable/lexer/code.ts';
import { createTestDatabase, usesBabelfish } from './test-server.ts';
import { skips, skipsOfBabelfish } from './kit-skips.ts';
import type { KitDatabase, DatabaseUnderTest } from '../kit/database-under-test.ts';
import type { TestDatabase } from './test-server.ts';

const allSkips = (await usesBabelfish()) ? [...skips, ...skipsOfBabelfish] : skips;

export const sqlserverUnderTest: DatabaseUnderTest = {
  name: 'sqlserver',
  dialect: sqlserverDialect,
  makeDatabase,
  skip: allSkips,
  kinds: { json: 'text', enum: 'text' },
  storageEngines: {},
  binaryLiteral: (hex) => `0x${hex}`,
  exactText: (name) => `CAST(${name} AS nvarchar(max))`,
  client: (url) => {
    const { hostname, port, username, password, pathname } = new URL(url);
    const login = ['-S', `${hostname},${port}`, '-U', username, '-P', password];
    return ['sqlcmd', '-b', '-I', '-f', '65001', ...login, '-d', pathname.slice(1)];
  },
  ignoreWrites: (event, table) =>
    `CREATE TRIGGER ${table}_${event} ON ${table} INSTEAD OF ${event} AS BEGIN RETURN END`,
};

async function makeDatabase(): Promise<KitDatabase> {
  const server = await createTestDatabase();
  return {
    url: server.url,
    run: async (sql) => void (await server.query(await withIdentities(server, asTsql(sql)))),
    query: (sql) => server.query(sql),
    runsReadOnly: (sql) => server.reads(sql),
    fingerprint: () => fingerprint(server),
    drop: () => server.drop(),
  };
}

const flags: Readonly<Record<string, string>> = { TRUE: '1', FALSE: '0' };

/** The kit uses true and false, which T-SQL does not have. */
function asTsql(sql: string): string {
  let text = '';
  let end = 0;
  for (const token of codeOf(sql, sqlserverLexicalRules)) {
    text += sql.slice(end, token.start) + (flags[token.word] ?? sql.slice(token.start, token.end));
    end = token.end;
  }
  return text + sql.slice(end);
}

/** Explicit identity values are inserted only on request. */
async function withIdentities(server: TestDatabase, sql: string): Promise<string> {
  const table = /^\s*INSERT INTO (\S+) \(\[?id\b/.exec(sql)?.[1];
  if (table === undefined) return sql;
  const rows = await server.query(
    `SELECT 1 FROM sys.columns WHERE object_id = OBJECT_ID(N'${table}') AND is_identity = 1`,
  );
  return rows.length > 0
    ? `BEGIN SET IDENTITY_INSERT ${table} ON; ${sql}; SET IDENTITY_INSERT ${table} OFF END`
    : sql;
}

async function fingerprint(server: TestDatabase): Promise<string> {
  const tables = await server.query(
    'SELECT name FROM sys.tables WHERE is_ms_shipped = 0 ORDER BY name',
  );
  const all = [
    await server.query(
      'SELECT o.name, o.type, c.name, c.user_type_id FROM sys.objects o LEFT JOIN sys.columns c ON c.object_id = o.object_id ORDER BY o.object_id, c.column_id',
    ),
  ];
  for (const [name] of tables)
    all.push(
      await server.query(`SELECT * FROM ${sqlserverDialect.quoteName(String(name))} ORDER BY 1`),
    );
  return JSON.stringify(all, (_, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value,
  );
}
