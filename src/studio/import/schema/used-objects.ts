/** What stays of a failed import, and what its error says of that. */
import { copyError, StudioError } from '../../../model/errors.ts';

/** What stays of a failed import, because others have written to it. */
export interface UsedObjects {
  readonly tables: readonly string[];
  /** As `table.column`. */
  readonly columns?: readonly string[];
  /** Indexes and constraints: `index idx_users_note`. */
  readonly objects?: readonly string[];
  /** What others have created with names of the import, after they had removed its own, and what another import relies on. */
  readonly replaced?: readonly string[];
}

/** Says what stays of a failed import. */
export function withUsedObjects(
  error: unknown,
  { tables, columns = [], objects = [], replaced = [] }: UsedObjects,
): unknown {
  if (!(error instanceof StudioError)) return error;
  const sentences = [
    sentenceOf(tables, 'table', 'others may have inserted rows or reference'),
    sentenceOf(columns, 'column', 'others may have written values or use'),
    objects.map((name) => `The ${name} of the import stays, because others use it.`),
    replaced.map((name) => `Others have replaced ${name} or imported it too, so it stays.`),
  ].flat();
  if (sentences.length === 0) return error;
  return copyError(error, {
    message: [error.message, ...sentences].join(' '),
    details: { ...error.details, objects_left: [...tables, ...columns, ...objects, ...replaced] },
  });
}

function sentenceOf(
  names: readonly string[],
  noun: 'table' | 'column',
  use: string,
): readonly string[] {
  if (names.length === 0) return [];
  const list = names.map((name) => JSON.stringify(name)).join(', ');
  const [subject, object] =
    names.length === 1
      ? [`The ${noun} ${list} of the import stays`, 'it']
      : [`The ${noun}s ${list} of the import stay`, 'them'];
  return [`${subject}, because ${use} ${object}.`];
}
