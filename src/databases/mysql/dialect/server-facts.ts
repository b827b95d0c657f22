/** What the server is, as far as it matters. */
export interface ServerFacts {
  readonly version: string;
  readonly isMariadb: boolean;
  readonly sqlMode: string;
  /** As found. */
  readonly isolation: string;
  /** Whether the server reports statements that change something of their session. */
  readonly tracksState: boolean;
}
