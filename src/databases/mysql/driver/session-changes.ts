/** Missing in the driver's types. The text of `trackStateChange` is meaningless. */
interface TrackedResult {
  readonly stateChanges?: { readonly trackStateChange: string | null };
}

export function hasChangedSession(result: unknown): boolean {
  const { stateChanges } = result as TrackedResult;
  return stateChanges !== undefined && stateChanges.trackStateChange !== null;
}
