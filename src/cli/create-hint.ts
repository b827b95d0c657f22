import { StudioError } from '../model/errors.ts';
import { failed } from './exit-error.ts';

/** The error of a command that accepts --create: that of a missing database file names the option. */
export function withCreateHint(error: unknown): unknown {
  const isMissing = error instanceof StudioError && error.details['missing_file'] !== undefined;
  return isMissing ? failed(`${error.message} Add --create to create it.`) : error;
}
