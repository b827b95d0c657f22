import type { Session } from '../model/database.ts';
import type { OtherObject } from '../model/other-objects.ts';

/** The query returns kind, name, and namespace and name of the object's table: NULL if it belongs to no table. */
export async function readOtherObjects(
  session: Session,
  text: string,
): Promise<readonly OtherObject[]> {
  const { rows } = await session.run({ text, params: [] });
  return rows.map(([kind, name, namespace, localName]) => ({
    kind: String(kind).toLowerCase(),
    name: String(name),
    ...(localName === null || localName === undefined
      ? {}
      : { table: { ...namespaceOf(namespace), localName: String(localName) } }),
  }));
}

function namespaceOf(value: unknown): { readonly namespace?: string } {
  return typeof value === 'string' ? { namespace: value } : {};
}
