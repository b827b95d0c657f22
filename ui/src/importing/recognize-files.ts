import { importStartTexts as texts } from '../texts/import-start.ts';

/** What a file contains. */
export type ImportKind = 'data' | 'schema' | 'dump' | 'models';

/** A file format, as `formatTitles` names them. */
export type FileFormat =
  | 'csv'
  | 'dbml'
  | 'go'
  | 'json'
  | 'ndjson'
  | 'sql'
  | 'xlsx'
  | 'yaml'
  | 'zip';

export interface RecognizedFiles {
  /** The possible kinds. If there is none, `rejectionReason` says why. If there are several, the user must select one. */
  readonly kinds: readonly ImportKind[];
  readonly format: FileFormat | undefined;
  readonly rejectionReason?: string;
}

const csv = { kinds: ['data'], format: 'csv' } as const;
const ndjson = { kinds: ['data'], format: 'ndjson' } as const;
const excel = { kinds: ['data'], format: 'xlsx' } as const;
const yaml = { kinds: ['schema'], format: 'yaml' } as const;

const byExtension: ReadonlyMap<string, RecognizedFiles> = new Map<string, RecognizedFiles>([
  ['csv', csv],
  ['tsv', csv],
  ['tab', csv],
  ['txt', csv],
  ['ndjson', ndjson],
  ['jsonl', ndjson],
  ['xlsx', excel],
  ['xlsm', excel],
  ['zip', { kinds: ['data', 'dump'], format: 'zip' }],
  ['json', { kinds: ['data', 'schema'], format: 'json' }],
  ['sql', { kinds: ['dump', 'data', 'schema'], format: 'sql' }],
  ['yaml', yaml],
  ['yml', yaml],
  ['dbml', { kinds: ['schema'], format: 'dbml' }],
  ['go', { kinds: ['models'], format: 'go' }],
]);

/** The file extensions for the browser's file chooser. */
export const acceptedExtensions = [...byExtension.keys()]
  .map((extension) => `.${extension}`)
  .join(',');

/** Splits files into groups that are imported together. Go files form a program; other files are imported one by one. */
export function groupFiles(files: readonly File[]): readonly (readonly File[])[] {
  const isGo = ({ name }: File): boolean => endingOf(name) === 'go';
  const sources = files.filter(isGo);
  const modules = sources.length === 0 ? [] : files.filter(({ name }) => name === 'go.mod');
  const models = [...sources, ...modules];
  const otherFiles = files.filter((file) => !models.includes(file)).map((file) => [file]);
  return models.length === 0 ? otherFiles : [models, ...otherFiles];
}

/** Recognizes files by the extension of the first one. Files of a group have the same kind. */
export function recognizeFiles([file]: readonly File[]): RecognizedFiles {
  const name = file?.name ?? '';
  return (
    byExtension.get(endingOf(name)) ?? {
      kinds: [],
      format: undefined,
      rejectionReason: rejectionOf(name),
    }
  );
}

function rejectionOf(file: string): string {
  const reason = texts.unsupportedType({ file });
  const isOtherWorkbook = ['ods', 'xls'].includes(endingOf(file));
  return isOtherWorkbook ? `${reason} ${texts.saveAsXlsx}` : reason;
}

function endingOf(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1).toLowerCase();
}
