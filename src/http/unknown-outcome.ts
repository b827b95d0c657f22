import { StudioError } from '../model/errors.ts';

/** The error of a repeated request of which nobody knows what the first one has written. */
export function unknownOutcomeError(): StudioError {
  return new StudioError(
    'outcome_unknown',
    'The studio does not know whether it has carried out this request before: it, or the copy of it that received the request, ended meanwhile, the database was lost during the commit, or the request is too old. Read the rows to find out.',
  );
}

/** The error of a repeated request whose outcome was dropped for those of later requests. */
export function endedRequestError(): StudioError {
  return new StudioError(
    'outcome_unknown',
    'The studio has handled this request before and does not carry it out again, but no longer has the response: there is no state folder, and its memory was needed for later requests. Read the rows to find out what was written.',
  );
}
