/** One of the statements of `Session.runAll` has failed; `cause` has the database's error. */
export class StatementsFailure extends Error {
  /** The index of the statement; those before it have run. */
  readonly index: number;

  constructor(cause: unknown, index: number) {
    super('A statement failed.', { cause });
    this.name = 'StatementsFailure';
    this.index = index;
  }
}
