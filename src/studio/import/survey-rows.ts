/** Reads all rows of a file for what they show together: types, and formats that depend on the country. */
import { formatOf } from '../../portable/cells/local-profile.ts';
import { surveyFile } from './infer/survey-file.ts';
import { createRowsReader } from './read-file-rows.ts';
import type { JobContext, JobOutput } from '../core/job.ts';
import type { ImportOptions } from './import-options.ts';
import type { LocalProfile } from '../../portable/cells/local-profile.ts';
import type { FormatJson } from './report-import.ts';
import type { TableSurvey } from './infer/survey-file.ts';
import type { RecognizedFile } from './recognize-file.ts';

/** A file to import, with the options of the request. */
export interface FileImport {
  readonly file: RecognizedFile;
  readonly options: ImportOptions;
  readonly output: JobOutput;
}

/** The name of a table that the file does not name: that of the request, or of the file. */
export function sourceName({ file: { name }, options }: Omit<FileImport, 'output'>): string {
  return options.table ?? name.replace(/\.[^.]*$/, '');
}

export async function surveyRows(
  context: JobContext,
  request: FileImport,
): Promise<readonly TableSurvey[]> {
  const { file, output } = request;
  const options = request.options.createTable
    ? withoutMappedParts(request.options)
    : request.options;
  return surveyFile(createRowsReader(context, file, options), {
    folder: context.folder,
    source: sourceName(request),
    isJson: file.kind === 'json' || file.kind === 'ndjson',
    mixesDates: file.kind === 'xlsx',
    onProgress: (progress) => output.progress({ ...progress, total_bytes: 2 * file.bytes }),
  });
}

/** Tables that exist need no proposal. */
function withoutMappedParts(options: ImportOptions): ImportOptions {
  const { tables } = options;
  if (tables === undefined) return options;
  return { ...options, tables: new Map([...tables.keys()].map((name) => [name, undefined])) };
}

export interface FoundFormat {
  readonly decimal: NonNullable<ImportOptions['decimal']>;
  readonly dateOrder: NonNullable<ImportOptions['dateOrder']>;
}

/** The member `format` of a response: parameters of the next request, without those that the file does not show. */
export function foundFormatMember({ decimal, dateOrder }: FoundFormat): {
  readonly format?: FormatJson;
} {
  const format = {
    ...(decimal === 'ambiguous' ? {} : { decimal }),
    ...(dateOrder === 'ambiguous' ? {} : { date_order: dateOrder }),
  };
  return Object.keys(format).length === 0 ? {} : { format };
}

/** One sentence for each column whose values have a format that the file does not show. */
export function formatWarnings(
  surveys: readonly TableSurvey[],
  { decimal, dateOrder }: FoundFormat,
): readonly string[] {
  const sentence = (name: string, notation: LocalProfile): readonly string[] => {
    const start = `Column "${name}" becomes text, because`;
    if (notation.kind === 'number' && decimal === 'ambiguous')
      return [`${start} its commas can be decimal commas or between thousands; set decimal.`];
    const isUnclear =
      notation.kind === 'date' && dateOrder === 'ambiguous' && !notation.orders.has('YMD');
    return isUnclear
      ? [`${start} its dates can be read in several orders; set date_order to DMY or MDY.`]
      : [];
  };
  return surveys.flatMap(({ columns }) =>
    [...columns].flatMap(
      ([
        name,
        {
          profile: { local },
        },
      ]) => (local === undefined || local === null ? [] : sentence(name, local.notation)),
    ),
  );
}

/** The formats of the request, or those that the values show. */
export function foundFormat(
  surveys: readonly TableSurvey[],
  { decimal, dateOrder }: ImportOptions,
): FoundFormat {
  const columns = surveys.flatMap((survey) => [...survey.columns.values()]);
  const found = formatOf(columns.flatMap(({ profile }) => profile.local?.notation ?? []));
  return { decimal: decimal ?? found.decimal, dateOrder: dateOrder ?? found.dateOrder };
}
