import { StudioError } from '../model/errors.ts';
import { failed } from './exit-error.ts';

/** The error of a command that accepts --create: that of a missing database file names the option. */
export function withCreateHint(error: unknown): unknown {
  const canBeCreated = error instanceof StudioError && error.details['can_be_created'] === true;
  return canBeCreated ? failed(`${error.message} Add --create to create it.`) : error;
}
