import type { ColumnInfo } from '../../../model/schema.ts';
import type { TypeCatalog } from '../dialect/types.ts';

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
  /** 0 where the field is no column of a relation. */
  readonly tableID: number;
  readonly columnID: number;
}

/** The type of each field, and which column of which relation it is, so that renamed columns show. */
export function fieldTypesOf(
  fields: readonly Pick<WireField, 'dataTypeID' | 'tableID' | 'columnID'>[],
): string {
  return fields
    .map(({ dataTypeID, tableID, columnID }) => `${dataTypeID}:${tableID}.${columnID}`)
    .join(' ');
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
