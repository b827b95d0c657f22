/** An effect that the text of a statement does not show, such as that of a function it calls. */
export interface StatementEffect {
  readonly kind:
    | 'session'
    | 'transaction'
    | 'write'
    | 'ddl'
    | 'execute'
    | 'administration'
    | 'unknown'
    | 'external';
  readonly reason: string;
  /** The function whose call has the effect. */
  readonly calls?: string;
}
