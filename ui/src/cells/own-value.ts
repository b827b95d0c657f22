/** The object's own value of a name. A column may have the name of an inherited property, such as `constructor`. */
export function ownValue<T>(object: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}
