/** The result of a completed command. */
interface CommandTag {
  /** Null until the command is complete. */
  readonly command: string | null;
  readonly rowCount: number | null;
  readonly fields: readonly unknown[];
}

/** The number of written rows; undefined for commands with result rows, whose tag counts the last fetch. */
export function rowsAffectedBy({ command, rowCount, fields }: CommandTag): number | undefined {
  return command === null || fields.length > 0 ? undefined : (rowCount ?? 0);
}
