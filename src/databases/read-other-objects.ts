import type { Session } from '../model/database.ts';
import type { OtherObject } from '../model/other-objects.ts';

/** Rows of the kind, the name, and of the namespace and name of the table: NULL for what belongs to none. */
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
