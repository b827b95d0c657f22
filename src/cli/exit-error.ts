/** 1: the command failed. 2: wrong usage. */
export type FailureStatus = 1 | 2;

/** Ends the command with a message on stderr and an exit status. */
export class ExitError extends Error {
  readonly status: FailureStatus;

  constructor(status: FailureStatus, message: string) {
    super(message);
    this.name = 'ExitError';
    this.status = status;
  }
}

export function wrongUsage(message: string): ExitError {
  return new ExitError(2, message);
}

export function failed(message: string): ExitError {
  return new ExitError(1, message);
}
