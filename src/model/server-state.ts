/** The role of a database's server at the moment. */
export interface ServerState {
  /** Why the database takes no writes of this login, as a sentence. */
  readonly readOnlyReason?: string | undefined;
  /** For how long a standby has not applied what its primary has committed, at most. */
  readonly lagSeconds?: number | undefined;
}
