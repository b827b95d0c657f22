/**
 * Imported models are kept before their tables are committed. What was kept before stays on disk
 * until then, so that models and tables come together, or neither, also when the import is killed.
 */
import { randomUUID } from 'node:crypto';
import { readFile, readdir, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { mergeModels, readKeptModels, writeKeptModels, writeWhole } from '../core/models.ts';
import type { Migration } from '../../gorm/migration/migration.ts';
import type { TableModel } from '../../model/table-model.ts';
import type { ModelSettings } from '../core/models.ts';

/** What the import makes: a table, or a column of one that is there. */
interface Made {
  readonly table: string;
  readonly column?: string;
}

interface Held {
  /** The process that imports. */
  readonly pid: number;
  readonly made: readonly Made[];
  readonly imported: readonly string[];
  /** Models of these tables as they were. */
  readonly before: readonly TableModel[];
}

export interface HeldModels {
  /** The tables are there. */
  confirm(): Promise<void>;
  /** They are not: what was known before is known again. */
  takeBack(): Promise<void>;
}

export interface Holding {
  readonly imported: readonly TableModel[];
  readonly migration: Pick<Migration, 'statements'>;
  /** The import's own, by which whoever started it finds what it left. */
  readonly journal: string | undefined;
}

export async function holdModels(
  { file }: ModelSettings,
  { imported, migration, journal = randomUUID() }: Holding,
): Promise<HeldModels> {
  if (file === undefined) return { confirm: async () => {}, takeBack: async () => {} };
  const path = heldPath(file, journal);
  const tables = imported.map(({ table }) => table);
  const known = await readKeptModels(file);
  const held: Held = {
    pid: process.pid,
    made: migration.statements.flatMap(madeBy),
    imported: tables,
    before: known.filter(({ table }) => tables.includes(table)),
  };
  await writeWhole(path, JSON.stringify(held));
  await writeKeptModels(file, mergeModels(known, imported));
  return {
    confirm: () => rm(path, { force: true }),
    takeBack: () => takeBack(file, path, held),
  };
}

function madeBy({ table, column, creates }: Migration['statements'][number]): readonly Made[] {
  if (creates === true) return [{ table }];
  return column === undefined ? [] : [{ table, column }];
}

async function takeBack(file: string, path: string, { imported, before }: Held): Promise<void> {
  const others = (await readKeptModels(file)).filter(({ table }) => !imported.includes(table));
  await writeKeptModels(file, [...others, ...before]);
  await rm(path, { force: true });
}

/** The columns of each table that is there. */
export type ColumnsByTable = ReadonlyMap<string, readonly string[]>;

/**
 * Decides by the database what killed imports have left: models whose tables were committed stay,
 * others are as they were. Without a name, of every import whose process is gone. False where one
 * still runs.
 */
export async function settleModels(
  { file }: ModelSettings,
  structure: () => Promise<ColumnsByTable>,
  journal?: string,
): Promise<boolean> {
  if (file === undefined) return true;
  let isSettled = true;
  const paths = journal === undefined ? await heldBeside(file) : [heldPath(file, journal)];
  for (const path of paths) {
    const held = await readHeld(path);
    if (held === undefined) continue;
    if (journal === undefined && isAlive(held.pid)) {
      isSettled = false;
      continue;
    }
    const tables = await structure();
    const isThere = ({ table, column }: Made): boolean =>
      tables.get(table)?.some((name) => column === undefined || name === column) === true;
    if (held.made.every(isThere)) await rm(path, { force: true });
    else await takeBack(file, path, held);
  }
  return isSettled;
}

const ending = '.held';

function heldPath(file: string, journal: string): string {
  return `${file}.${journal}${ending}`;
}

async function heldBeside(file: string): Promise<readonly string[]> {
  const names = await readdir(dirname(file)).catch(() => []);
  return names
    .filter((name) => name.startsWith(`${basename(file)}.`) && name.endsWith(ending))
    .map((name) => join(dirname(file), name));
}

/** Undefined where there is none. */
async function readHeld(path: string): Promise<Held | undefined> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as Held;
  } catch {
    return undefined;
  }
}

function isAlive(pid: number): boolean {
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
