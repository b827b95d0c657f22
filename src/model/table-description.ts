/** A table for the document about the API: JSON Schemas of its columns, by name. */
export interface TableDescription {
  readonly name: string;
  readonly comment?: string;
  readonly columns: Readonly<Record<string, object>>;
  /** Whether rows have an id. */
  readonly hasIds: boolean;
  readonly isWritable: boolean;
}

export interface TableDescriptions {
  /** In the order of their names. */
  readonly tables: readonly TableDescription[];
  /** Number of further tables, beyond the limits. */
  readonly omitted: number;
}
