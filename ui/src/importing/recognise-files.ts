/** What an import makes of its files. */
export type ImportKind = 'data' | 'schema' | 'models';

export interface Recognised {
  /** What they can be; none: `refusal` says why. More than one: a person must say. */
  readonly kinds: readonly ImportKind[];
  readonly format: string;
  readonly refusal?: string;
}

const csv = { kinds: ['data'], format: 'CSV' } as const;
const ndjson = { kinds: ['data'], format: 'NDJSON' } as const;
const excel = { kinds: ['data'], format: 'Excel' } as const;
const yaml = { kinds: ['schema'], format: 'YAML' } as const;

const byEnding: ReadonlyMap<string, Recognised> = new Map<string, Recognised>([
  ['csv', csv],
  ['tsv', csv],
  ['tab', csv],
  ['txt', csv],
  ['ndjson', ndjson],
  ['jsonl', ndjson],
  ['xlsx', excel],
  ['xlsm', excel],
  ['zip', { kinds: ['data'], format: 'CSV files in a zip' }],
  ['json', { kinds: ['data', 'schema'], format: 'JSON' }],
  ['sql', { kinds: ['data', 'schema'], format: 'SQL' }],
  ['yaml', yaml],
  ['yml', yaml],
  ['dbml', { kinds: ['schema'], format: 'DBML' }],
  ['go', { kinds: ['models'], format: 'Go' }],
]);

/** What a file chooser offers. */
export const acceptedEndings = [...byEnding.keys()].map((ending) => `.${ending}`).join(',');

/** By their names; Go files come together, others alone. */
export function recogniseFiles(names: readonly string[]): Recognised {
  const [name = '', ...others] = names;
  const found = byEnding.get(endingOf(name));
  if (found === undefined) return refuse(`${name} is of no kind that can be imported.`);
  if (others.length === 0) return found;
  const areModels = names.every((other) => endingOf(other) === 'go');
  return areModels
    ? found
    : refuse('Only Go files are imported together; others one after another.');
}

function refuse(refusal: string): Recognised {
  return { kinds: [], format: '', refusal };
}

function endingOf(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1).toLowerCase();
}
