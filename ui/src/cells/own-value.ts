/** The object's own value of a name. A column may have the name of an inherited property, such as `constructor`. */
export function ownValue<T>(held: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(held, name) ? held[name] : undefined;
}
