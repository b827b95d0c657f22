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

/** What is imported at once: Go files are a package; others come one after another. */
export function inTurn(files: readonly File[]): readonly (readonly File[])[] {
  const isGo = ({ name }: File): boolean => endingOf(name) === 'go';
  const models = files.filter(isGo);
  const others = files.filter((file) => !isGo(file)).map((file) => [file]);
  return models.length === 0 ? others : [models, ...others];
}

/** By the name of the first; files that are imported at once are of one kind. */
export function recogniseFiles([file]: readonly File[]): Recognised {
  const name = file?.name ?? '';
  return (
    byEnding.get(endingOf(name)) ?? {
      kinds: [],
      format: '',
      refusal: `${name} is of no kind that can be imported.${adviceFor(endingOf(name))}`,
    }
  );
}

function adviceFor(ending: string): string {
  return ending === 'xls' || ending === 'ods' ? ' Save it as .xlsx first.' : '';
}

function endingOf(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1).toLowerCase();
}
