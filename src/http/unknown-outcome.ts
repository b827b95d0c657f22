import { StudioError } from '../model/errors.ts';

/** The error of a repeated request whose first one has failed with an error that leaves open what was written. */
export function uncertainFailureError(error: unknown): StudioError {
  // Messages of defects are not for clients.
  const reason =
    error instanceof StudioError && error.code !== 'internal'
      ? ` (${error.message.replace(/\.$/, '')})`
      : '';
  return unknownOutcomeError(`it failed with an error that leaves open what was written${reason}`);
}

/** The error of a repeated request that another copy was carrying out when it ended. */
export function interruptedRequestError(): StudioError {
  return unknownOutcomeError('the copy of the studio that received it ended before its response');
}

function unknownOutcomeError(reason: string): StudioError {
  return new StudioError(
    'outcome_unknown',
    `The studio has begun to carry out this request before, and ${reason}. Read the rows to find out.`,
  );
}

/** The error of a repeated request that was first sent at a time from which the studio may have forgotten requests. */
export function forgottenRequestError(): StudioError {
  return new StudioError(
    'outcome_unknown',
    'The studio does not know whether it has carried out this request before: it was first sent longer ago than the studio remembers requests, which is at most 10 minutes. Read the rows to find out.',
  );
}

/** The error of a repeated request whose outcome was dropped for those of later requests. */
export function endedRequestError(): StudioError {
  return new StudioError(
    'outcome_unknown',
    'The studio has handled this request before and does not carry it out again, but no longer has the response: there is no state folder, and its memory was needed for later requests. Read the rows to find out what was written.',
  );
}
