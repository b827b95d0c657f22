/** Returns the first word that starts with the typed text, preferably in the same case. */
export function findChoice(choices: readonly string[], typed: string): string | undefined {
  const start = typed.toLowerCase();
  return (
    choices.find((choice) => choice.startsWith(typed)) ??
    choices.find((choice) => choice.toLowerCase().startsWith(start))
  );
}
