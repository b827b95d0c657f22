/** What is stored by a name, also by one that every object answers to: a column may be called `constructor`. */
export function ownValue<T>(held: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(held, name) ? held[name] : undefined;
}
