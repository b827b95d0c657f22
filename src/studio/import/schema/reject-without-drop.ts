/** Refuses imports that could not remove what they create, where each statement of DDL commits. */
import { StudioError } from '../../../model/errors.ts';
import type { UndoSession } from './remove-created.ts';

/**
 * Fails if the user may not drop tables and views of the database: what a failed import has created would stay, closed to
 * everybody, and its journal would keep others from importing tables of these names.
 */
export async function rejectWithoutDrop({ database, session }: UndoSession): Promise<void> {
  // The marker of an import that does not exist.
  const { ddlUndo } = database.dialect.ddl;
  const marker = ddlUndo?.importMarker(ddlUndo.markerName('without an import'));
  if (marker === undefined) return;
  try {
    await session.run({ text: marker.drop, params: [] });
  } catch (error) {
    if (!(error instanceof StudioError) || error.code !== 'permission_denied') throw error;
    throw new StudioError(
      'permission_denied',
      'The user that the studio is connected as lacks the privilege DROP on the database, without which a failed import could not remove the tables that it has created. Nothing was created.',
    );
  }
}
