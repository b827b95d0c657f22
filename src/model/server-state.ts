/** The role of a database's server at the moment. */
export interface ServerState {
  /** Why the database takes no writes of this login, as a sentence. */
  readonly readOnlyReason?: string | undefined;
  /** Why the server cannot take part in its cluster now, as a sentence. Requests may fail or wait for long. */
  readonly unavailableReason?: string | undefined;
  /** For how long a standby has not applied what its primary has committed, at most. */
  readonly lagSeconds?: number | undefined;
  /**
   * How far the server is in the log of the changes, as digits: a standby at the position that its
   * primary has had after a commit has applied it.
   */
  readonly position?: string | undefined;
}

/** The standby of `--read-url`. */
export interface StandbyState {
  /** Whether it does not respond, so that pages of rows come from the primary. */
  readonly isAway: boolean;
  /** As in `ServerState`. */
  readonly lagSeconds?: number | undefined;
}
