/**
 * An import that was interrupted may be undone by the studio that has its journal long after another studio has imported
 * the same tables: what the later import relies on must stay. It enters its names into the markers of all others, which
 * are known to every studio of the database, unlike journals.
 */
import { beingCreatedError } from './running-imports.ts';
import { driverErrorOf } from './structure-transaction.ts';
import { valueOf } from './remove-created.ts';
import { StudioError } from '../../../model/errors.ts';
import type { DdlUndo, ImportMarker } from '../../../model/ddl-dialect.ts';
import type { UndoSession } from './remove-created.ts';

export interface NamesOfImport {
  /** The name of its journal. */
  readonly journal: string;
  /** Tables, views, triggers and routines that the import creates, changes or needs, and has locked. */
  readonly names: readonly string[];
}

/** Keeps what bears the names when another import is undone. */
export async function retainNames(
  within: UndoSession,
  { journal, names }: NamesOfImport,
): Promise<void> {
  const { ddlUndo } = within.database.dialect.ddl;
  if (ddlUndo === undefined || names.length === 0) return;
  const keeper = ddlUndo.markerName(journal);
  for (const marker of await markersExcept(within, ddlUndo, keeper)) {
    if (!(await run(within, marker.retain(names, keeper)))) continue;
    // While a server has locked the names, nobody undoes the other import. Other servers of a cluster do not know the lock.
    if (ddlUndo.canLockNames || (await valueOf(within.session, marker.isUndone)) === '0') continue;
    await run(within, marker.release(keeper));
    throw beingCreatedError(names[0]!);
  }
}

/** Reverts `retainNames`: the import has failed. */
export async function releaseNames(within: UndoSession, journal: string): Promise<void> {
  const { ddlUndo } = within.database.dialect.ddl;
  if (ddlUndo === undefined) return;
  const keeper = ddlUndo.markerName(journal);
  for (const marker of await markersExcept(within, ddlUndo, keeper))
    await run(within, marker.release(keeper));
}

/** The names, in lower case, that other imports keep while the one of the journal is undone. */
export async function retainedNames(
  { database, session }: UndoSession,
  journal: string,
): Promise<ReadonlySet<string>> {
  const { ddlUndo } = database.dialect.ddl;
  if (ddlUndo === undefined) return new Set();
  const { retainedNames: text } = ddlUndo.importMarker(ddlUndo.markerName(journal));
  try {
    const { rows } = await session.run({ text, params: [] });
    return new Set(rows.map(([name]) => String(name).toLowerCase()));
  } catch (error) {
    if (ddlUndo.isMissingError(driverErrorOf(error))) return new Set();
    throw error;
  }
}

async function markersExcept(
  { session }: UndoSession,
  ddlUndo: DdlUndo,
  own: string,
): Promise<readonly ImportMarker[]> {
  const { rows } = await session.run({ text: ddlUndo.findMarkers, params: [] });
  const found = rows.map(([name]) => String(name));
  return found.filter((name) => name !== own).map((name) => ddlUndo.importMarker(name));
}

/** False for a marker that was dropped meanwhile, is of an earlier version, or may not be written to. */
async function run({ database, session }: UndoSession, text: string): Promise<boolean> {
  try {
    await session.run({ text, params: [] });
    return true;
  } catch (error) {
    const isMissing = database.dialect.ddl.ddlUndo?.isMissingError(driverErrorOf(error)) === true;
    const isForbidden = error instanceof StudioError && error.code === 'permission_denied';
    if (isMissing || isForbidden) return false;
    throw error;
  }
}
