/** Lists the objects of the database that an export of the structure leaves out, so that users notice in time. */
import { programKey } from '../../model/stored-program.ts';
import type { Database } from '../../model/database.ts';
import type { OtherObject } from '../../model/other-objects.ts';
import type { Schema, Table } from '../../model/schema.ts';

export interface LeftOutObjects {
  /** One for each object, for example `the trigger film_ins of film`. */
  readonly names: readonly string[];
  /** A sentence for each kind of object. */
  readonly warnings: readonly string[];
}

export interface ExportedTables {
  /** The exported tables and views. */
  readonly schema: Schema;
  /** Whether the export is of selected tables only. Objects of other tables are then not listed. */
  readonly isPart: boolean;
  /** Of the objects that the export has, by `programKey`. */
  readonly written?: ReadonlySet<string>;
  /** The export sets the counters of its tables. */
  readonly hasCounters?: boolean;
}

/** If the database cannot list its objects, the result is a warning: the export itself must not fail. */
export async function leftOutObjects(
  database: Pick<Database, 'otherObjects' | 'dialect'>,
  exported: ExportedTables,
): Promise<LeftOutObjects> {
  try {
    return namesOf(await database.otherObjects(), exported);
  } catch (error) {
    const objects = 'The other objects of the database (triggers, routines)';
    return { names: [], warnings: [unreadWarning(objects, error, database)] };
  }
}

/** `objects` begins the sentence. */
export function unreadWarning(
  objects: string,
  error: unknown,
  { dialect }: Pick<Database, 'dialect'>,
): string {
  const message = dialect.messageOf(error) ?? (error instanceof Error ? error.message : '');
  return `${objects} could not be read${message === '' ? '.' : `: ${message}`}`;
}

/** The exported table or view that an object belongs to. */
export function exportedRelationOf({ table }: OtherObject, schema: Schema): Table | undefined {
  return [...schema.tables, ...schema.views].find(
    ({ localName, namespace }) => localName === table?.localName && namespace === table.namespace,
  );
}

function namesOf(
  objects: readonly OtherObject[],
  { schema, isPart, written, hasCounters = false }: ExportedTables,
): LeftOutObjects {
  const leftOut = objects.flatMap((object) => {
    if (written?.has(programKey(object)) === true) return [];
    const { kind, name, table } = object;
    const relation = exportedRelationOf(object, schema);
    if (isPart && relation === undefined) return [];
    if (kind === 'counter' && hasCounters && relation !== undefined) return [];
    const of = relation?.name ?? table?.localName;
    return [{ kind, name: of === undefined ? name : `${name} of ${of}` }];
  });
  const byKind = Map.groupBy(leftOut, ({ kind }) => kind);
  return {
    names: leftOut.map(({ kind, name }) => `the ${kind} ${name}`),
    warnings: [...byKind].map(
      ([kind, of]) =>
        `The export leaves out ${plural(kind)}: ${of.map(({ name }) => name).join(', ')}.`,
    ),
  };
}

function plural(kind: string): string {
  if (kind.endsWith('s')) return `${kind}es`;
  return kind.endsWith('y') ? `${kind.slice(0, -1)}ies` : `${kind}s`;
}
