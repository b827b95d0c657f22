/**
 * Scripts with rows and statements that change settings. An import has the same rows as the
 * database's own client, or an error, or a warning that names the statement.
 */
import { execFileSync } from 'node:child_process';
import * as fc from 'fast-check';
import { expect } from 'vitest';
import { StudioError } from '../../src/model/errors.ts';
import { importFile } from './importing.ts';

export interface SettingsDatabase {
  readonly settings: readonly string[];
  /** Generates INSERT statements for an id. */
  readonly inserts: readonly ((id: number) => string)[];
  /** Runs a script with the client. Throws if a statement fails. */
  runNative(script: string): void;
  /** All rows, as text. */
  rows(): Promise<string>;
  empty(): Promise<void>;
  readonly url: () => string;
}

export function client(command: string, args: readonly string[], input: string): string {
  return execFileSync(command, args, { input, stdio: 'pipe', encoding: 'utf8' });
}

export async function testSettings(database: SettingsDatabase, runs: number): Promise<void> {
  const { settings, inserts } = database;
  const statement = fc.oneof(
    { weight: 2, arbitrary: fc.constantFrom(...settings).map((text) => () => text) },
    { weight: 3, arbitrary: fc.constantFrom(...inserts) },
  );
  const scripts = fc
    .array(statement, { minLength: 2, maxLength: 8 })
    .map((parts) => parts.map((part, i) => terminated(part(i))).join(''));
  await fc.assert(
    fc.asyncProperty(scripts, (script) => expectSameRowsOrWarning(database, script)),
    { numRuns: runs },
  );
}

/** psql 15.20 drops what follows an empty statement after the rows of COPY. */
function terminated(statement: string): string {
  return statement.endsWith('\\.\n') ? statement : `${statement};\n`;
}

async function expectSameRowsOrWarning(database: SettingsDatabase, script: string): Promise<void> {
  await database.empty();
  const native = await nativeRows(database, script);
  await database.empty();
  const before = await database.rows();
  try {
    const { warnings } = await importFile(database.url(), ['f.sql', script]);
    const rows = await database.rows();
    if (warnings.some((warning) => warning.includes('was skipped: the rows were imported without')))
      return;
    // Statements that only the client rejects, such as DISCARD within a transaction, change no row.
    if (native !== undefined) expect({ script, rows }).toEqual({ script, rows: native });
  } catch (error) {
    if (!(error instanceof StudioError)) throw error;
    expect({ script, rows: await database.rows() }).toEqual({ script, rows: before });
  }
}

/** Undefined if the client fails. */
async function nativeRows(database: SettingsDatabase, script: string): Promise<string | undefined> {
  try {
    database.runNative(script);
    return await database.rows();
  } catch {
    return undefined;
  }
}
