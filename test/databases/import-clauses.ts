/**
 * Compares what a schema file creates through the studio with what the database's own client
 * creates.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import * as fc from 'fast-check';
import { expect } from 'vitest';
import { StudioError } from '../../src/model/errors.ts';
import * as mariadb from '../servers/mariadb.ts';
import * as postgres from '../servers/postgres.ts';
import { importText } from './import-job.ts';
import type { Clauses } from './clauses.ts';

/** An empty database that runs a text, with its catalog as lines. */
interface Target {
  readonly url: string;
  empty(): Promise<void>;
  /** Runs the text with the database's own client. Returns false if it is rejected. */
  run(text: string): Promise<boolean>;
  catalog(): Promise<readonly string[]>;
  drop(): Promise<void>;
}

export interface ReferenceDatabase {
  readonly dialect: string;
  readonly clauses: Clauses;
  readonly open: () => Promise<Target>;
}

interface Outcome {
  /** Undefined if the import is rejected. */
  readonly warnings: readonly string[] | undefined;
  /** Lines of one catalog that the other does not have. */
  readonly differences: readonly string[];
}

class Comparison {
  readonly #reference: ReferenceDatabase;
  readonly #native: Target;
  readonly #imported: Target;

  private constructor(reference: ReferenceDatabase, native: Target, imported: Target) {
    this.#reference = reference;
    this.#native = native;
    this.#imported = imported;
  }

  static async open(reference: ReferenceDatabase): Promise<Comparison> {
    return new Comparison(reference, await reference.open(), await reference.open());
  }

  async close(): Promise<void> {
    await this.#native.drop();
    await this.#imported.drop();
  }

  /** Undefined if the database itself rejects the text. */
  async outcome(statements: readonly string[]): Promise<Outcome | undefined> {
    const text = [...this.#reference.clauses.base, ...statements]
      .map((each) => `${each};\n`)
      .join('');
    await this.#native.empty();
    await this.#imported.empty();
    if (!(await this.#native.run(text))) return undefined;
    const warnings = await this.#import(text);
    const [native, imported] = [await this.#native.catalog(), await this.#imported.catalog()];
    return { warnings, differences: [...missing(native, imported), ...missing(imported, native)] };
  }

  async #import(text: string): Promise<readonly string[] | undefined> {
    const { dialect } = this.#reference;
    try {
      const order = { url: this.#imported.url, parameters: { dialect } };
      return (await importText('clauses.sql', text, order)).warnings;
    } catch (error) {
      if (error instanceof StudioError) return undefined;
      throw error;
    }
  }
}

/** Each statement alone: any difference from the client's result has a warning or is an error. */
export async function expectEachClauseReported(reference: ReferenceDatabase): Promise<void> {
  const comparison = await Comparison.open(reference);
  try {
    const silent: (readonly string[])[] = [];
    for (const [i, statement] of reference.clauses.statements.entries()) {
      const outcome = await comparison.outcome([withTableName(statement, i)]);
      if (outcome?.warnings?.length === 0 && outcome.differences.length > 0)
        silent.push([statement, ...outcome.differences]);
    }
    expect(silent).toEqual([]);
  } finally {
    await comparison.close();
  }
}

/** Several statements in one file: each warning is there, and each difference has one. */
export async function expectAllClausesReported(
  reference: ReferenceDatabase,
  numRuns: number,
): Promise<void> {
  const comparison = await Comparison.open(reference);
  const { statements } = reference.clauses;
  const warningsByText = new Map<string, readonly string[]>();
  const selected = fc.uniqueArray(fc.nat(statements.length - 1), { minLength: 2, maxLength: 6 });
  try {
    await fc.assert(
      fc.asyncProperty(selected, async (numbers) => {
        const texts = numbers.map((number) => withTableName(statements[number]!, number));
        const outcome = await comparison.outcome(texts);
        if (outcome?.warnings === undefined) return;
        if (outcome.warnings.length === 0) expect(outcome.differences).toEqual([]);
        const warnings = outcome.warnings.map(withoutLine);
        for (const text of texts) {
          const expectedWarnings =
            warningsByText.get(text) ?? (await warningsAlone(comparison, text));
          warningsByText.set(text, expectedWarnings);
          expect(warnings).toEqual(expect.arrayContaining([...expectedWarnings]));
        }
      }),
      { numRuns },
    );
  } finally {
    await comparison.close();
  }
}

async function warningsAlone(comparison: Comparison, text: string): Promise<readonly string[]> {
  const outcome = await comparison.outcome([text]);
  return outcome?.warnings?.map(withoutLine) ?? [];
}

function missing(lines: readonly string[], others: readonly string[]): readonly string[] {
  return lines.filter((line) => !others.includes(line));
}

function withTableName(statement: string, number: number): string {
  return statement.replaceAll('#', `made_${number}`);
}

function withoutLine(warning: string): string {
  return warning.replace(/^Line \d+: /, '');
}

// The databases

const postgresCatalog = `
  SELECT concat_ws(' ', c.relname, c.relkind, c.relpersistence, replace(c.reloptions::text, '=on', '=true'), c.relreplident, c.relrowsecurity, c.relispopulated, pg_get_viewdef(c.oid)) AS line FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind <> 'i'
  UNION ALL SELECT concat_ws(' ', a.attrelid::regclass, a.attnum, a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull, a.attidentity, a.attgenerated, a.attcompression, a.attstorage, a.attstattarget, a.attoptions::text, a.attcollation::regcollation, pg_get_expr(d.adbin, d.adrelid)) FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum WHERE c.relnamespace = 'public'::regnamespace AND a.attnum > 0 AND NOT a.attisdropped AND c.relkind IN ('r', 'p', 'v', 'm')
  UNION ALL SELECT concat_ws(' ', conrelid::regclass, conname, pg_get_constraintdef(oid)) FROM pg_constraint WHERE connamespace = 'public'::regnamespace AND contype <> 'n' AND conrelid <> 0
  UNION ALL SELECT concat_ws(' ', conrelid::regclass, conname, connoinherit) FROM pg_constraint WHERE connamespace = 'public'::regnamespace AND contype = 'n' AND connoinherit
  UNION ALL SELECT indexdef FROM pg_indexes WHERE schemaname = 'public'
  UNION ALL SELECT concat_ws(' ', inhrelid::regclass, inhparent::regclass) FROM pg_inherits
  UNION ALL SELECT concat_ws(' ', seqrelid::regclass, seqstart, seqincrement, seqmin, seqcycle) FROM pg_sequence`;

export const postgresReference = (clauses: Clauses): ReferenceDatabase => ({
  dialect: 'postgres',
  clauses,
  open: async () => {
    const database = await postgres.createTestDatabase();
    return {
      url: database.url,
      empty: async () =>
        void (await database.query('DROP SCHEMA public CASCADE; CREATE SCHEMA public')),
      run: (text) => succeeds(database.query(text)),
      catalog: async () => linesOf(await database.query(postgresCatalog)),
      drop: () => database.drop(),
    };
  },
});

export const mariadbReference = (clauses: Clauses): ReferenceDatabase => ({
  dialect: 'mysql',
  clauses,
  open: async () => {
    const database = await mariadb.createTestDatabase();
    return {
      url: database.url,
      empty: async () => {
        const drops = (await mariadbNames(database)).map(({ name, kind }) =>
          kind === 'VIEW' ? `DROP VIEW \`${String(name)}\`` : `DROP TABLE \`${String(name)}\``,
        );
        await database.query(['SET foreign_key_checks = 0', ...drops].join('; '));
      },
      run: (text) => succeeds(database.query(text)),
      catalog: () => mariadbCatalog(database),
      drop: () => database.drop(),
    };
  },
});

function mariadbNames(database: mariadb.TestDatabase): Promise<readonly Record<string, unknown>[]> {
  return database.query(
    'SELECT table_name AS name, table_type AS kind FROM information_schema.tables WHERE table_schema = database() ORDER BY 1',
  );
}

export async function mariadbCatalog(database: mariadb.TestDatabase): Promise<readonly string[]> {
  const lines: string[] = [];
  for (const { name } of await mariadbNames(database)) {
    const [row] = await database.query(`SHOW CREATE TABLE \`${String(name)}\``);
    const columns = await database.query(`SHOW COLUMNS FROM \`${String(name)}\``);
    lines.push(mariadbLine(String(row?.['Create Table'] ?? row?.['Create View'])));
    lines.push(JSON.stringify([name, columns]));
  }
  return lines;
}

/** Without default keywords, and without the parentheses around a view's query. */
function mariadbLine(text: string): string {
  return text
    .replaceAll(/ USING BTREE| ON UPDATE NO ACTION/g, '')
    .replace(/^(CREATE .*? VIEW `\w+` AS) .*?( WITH \w+ CHECK OPTION)?$/s, '$1 …$2');
}

/** Names of constraints are ignored, their content is compared. */
const sqliteWords =
  /\bON CONFLICT (?!ABORT)\w+|\bDESC\b|\bAUTOINCREMENT\b|\bSTRICT\b|\bWITHOUT ROWID\b|\bCHECK\b|\bDEFERRED\b|\bCOLLATE\b/gi;

export const sqliteReference = (clauses: Clauses): ReferenceDatabase => ({
  dialect: 'sqlite',
  clauses,
  open: () => {
    const folder = mkdtempSync(join(tmpdir(), 'studio-clauses-'));
    const path = join(folder, 'made.db');
    const empty = (): void => {
      rmSync(path, { force: true });
      const db = new Database(path);
      db.exec('CREATE TABLE x (a); DROP TABLE x');
      db.close();
    };
    return Promise.resolve({
      url: `sqlite:${path}`,
      empty: () => Promise.resolve(empty()),
      run: (text: string) => Promise.resolve(runsInSqlite(path, text)),
      catalog: () => Promise.resolve(sqliteFileCatalog(path)),
      drop: () => Promise.resolve(rmSync(folder, { recursive: true, force: true })),
    });
  },
});

function runsInSqlite(path: string, text: string): boolean {
  const db = new Database(path);
  try {
    db.exec(text);
    return true;
  } catch {
    return false;
  } finally {
    db.close();
  }
}

function sqliteFileCatalog(path: string): readonly string[] {
  const db = new Database(path);
  try {
    return sqliteCatalog(db);
  } finally {
    db.close();
  }
}

export function sqliteCatalog(db: Database.Database): readonly string[] {
  const lists = [
    // A rowid is never NULL, whether its column is declared NOT NULL or not.
    "SELECT m.name, m.type, c.cid, c.name, c.type, c.\"notnull\" AND NOT (c.pk AND c.type = 'INTEGER'), c.dflt_value, c.pk, c.hidden FROM sqlite_schema m, pragma_table_xinfo(m.name) c WHERE m.type IN ('table', 'view')",
    'SELECT m.name, i."unique", i.origin, i.partial, x.seqno, x.name, x."desc", x.coll FROM sqlite_schema m, pragma_index_list(m.name) i, pragma_index_xinfo(i.name) x WHERE m.type = \'table\'',
    "SELECT m.name, f.* FROM sqlite_schema m, pragma_foreign_key_list(m.name) f WHERE m.type = 'table'",
    "SELECT name, type FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%'",
    'SELECT * FROM pragma_user_version, pragma_application_id',
  ].flatMap((query) => db.prepare(query).raw().all() as unknown[][]);
  const words = (
    db.prepare("SELECT sql FROM sqlite_schema WHERE type = 'table'").pluck().all() as string[]
  ).flatMap((sql) => sql?.match(sqliteWords) ?? []);
  return [
    ...lists.map((row) => JSON.stringify(row)),
    ...words.map((word) => word.toUpperCase()),
  ].toSorted();
}

function succeeds(statement: Promise<unknown>): Promise<boolean> {
  return statement.then(
    () => true,
    () => false,
  );
}

function linesOf(rows: readonly Record<string, unknown>[]): readonly string[] {
  return rows.map(({ line }) => String(line)).toSorted();
}
