import type { ColumnInfo } from '../../../model/schema.ts';
import type { TypeCatalog } from '../dialect/types.ts';

export interface TypeLookup {
  readonly types: TypeCatalog;
  /** Loads types that are not cached yet. */
  learnTypes(oids: readonly number[]): Promise<void>;
}

/** A result column as the protocol describes it. */
interface WireField {
  readonly name: string;
  readonly dataTypeID: number;
  readonly dataTypeModifier: number;
  /** 0 if the field is not a column of a relation. */
  readonly tableID: number;
  readonly columnID: number;
}

/** The type of each field with its relation and column, so that renamed columns are detected. */
export function fieldTypesOf(
  fields: readonly Pick<WireField, 'dataTypeID' | 'tableID' | 'columnID'>[],
): string {
  return fields
    .map(({ dataTypeID, tableID, columnID }) => `${dataTypeID}:${tableID}.${columnID}`)
    .join(' ');
}

export async function columnsOf(
  { types, learnTypes }: TypeLookup,
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
