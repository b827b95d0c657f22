import type { ColumnInfo } from '../../model/schema.ts';
import type { TypeCatalog } from './types.ts';

export interface KnownTypes {
  readonly types: TypeCatalog;
  /** Makes types known that a result has and the catalog does not. */
  learnTypes(oids: readonly number[]): Promise<void>;
}

/** A column of a result, as the wire tells it. */
interface WireField {
  readonly name: string;
  readonly dataTypeID: number;
  readonly dataTypeModifier: number;
}

export async function columnsOf(
  { types, learnTypes }: KnownTypes,
  fields: readonly WireField[],
): Promise<readonly ColumnInfo[]> {
  const unknown = new Set(
    fields.map((field) => field.dataTypeID).filter((oid) => !types.knows(oid)),
  );
  if (unknown.size > 0) await learnTypes([...unknown]);
  return fields.map(({ name, dataTypeID, dataTypeModifier }) => ({
    name,
    type: types.columnType(dataTypeID, dataTypeModifier),
    nativeType: types.nativeType(dataTypeID),
  }));
}
