/** What a file contains. */
export type ImportKind = 'data' | 'schema' | 'models';

export interface RecognizedFiles {
  /** The possible kinds. If there is none, `rejectionReason` says why. If there are several, the user must select one. */
  readonly kinds: readonly ImportKind[];
  readonly format: string;
  readonly rejectionReason?: string;
}

const csv = { kinds: ['data'], format: 'CSV' } as const;
const ndjson = { kinds: ['data'], format: 'NDJSON' } as const;
const excel = { kinds: ['data'], format: 'Excel' } as const;
const yaml = { kinds: ['schema'], format: 'YAML' } as const;

const byEnding: ReadonlyMap<string, RecognizedFiles> = new Map<string, RecognizedFiles>([
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

/** The file extensions for the browser's file chooser. */
export const acceptedEndings = [...byEnding.keys()].map((ending) => `.${ending}`).join(',');

/** Splits files into groups that are imported together. Go files form a program; other files are imported one by one. */
export function groupFiles(files: readonly File[]): readonly (readonly File[])[] {
  const isGo = ({ name }: File): boolean => endingOf(name) === 'go';
  const sources = files.filter(isGo);
  const modules = sources.length === 0 ? [] : files.filter(({ name }) => name === 'go.mod');
  const models = [...sources, ...modules];
  const others = files.filter((file) => !models.includes(file)).map((file) => [file]);
  return models.length === 0 ? others : [models, ...others];
}

/** Recognizes files by the extension of the first one. Files of a group have the same kind. */
export function recognizeFiles([file]: readonly File[]): RecognizedFiles {
  const name = file?.name ?? '';
  return (
    byEnding.get(endingOf(name)) ?? {
      kinds: [],
      format: '',
      rejectionReason: `${name} cannot be imported: its file type is not supported.${adviceFor(endingOf(name))}`,
    }
  );
}

function adviceFor(ending: string): string {
  return ending === 'xls' || ending === 'ods' ? ' Save it as .xlsx first.' : '';
}

function endingOf(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1).toLowerCase();
}
