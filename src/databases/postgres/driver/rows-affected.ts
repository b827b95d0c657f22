/** What the server says of a command that is complete. */
interface CommandTag {
  /** Null as long as it is not. */
  readonly command: string | null;
  readonly rowCount: number | null;
  readonly fields: readonly unknown[];
}

/** Rows that a command wrote; undefined where the tag counts the rows of the last fetch. */
export function rowsAffectedBy({ command, rowCount, fields }: CommandTag): number | undefined {
  return command === null || fields.length > 0 ? undefined : (rowCount ?? 0);
}
