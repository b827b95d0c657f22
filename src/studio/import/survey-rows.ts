/** Reads all rows of a file for what they show together: types, and formats that depend on the country. */
import { formatOf } from '../../portable/cells/local-profile.ts';
import { hasUnclearPoints } from '../../portable/cells/unclear-points.ts';
import { progressOfPass } from './pass-progress.ts';
import { surveyFile } from './infer/survey-file.ts';
import { createRowsReader } from './read-file-rows.ts';
import { textKind } from '../../portable/cells/value-kind.ts';
import type { JobContext, JobOutput } from '../core/job.ts';
import type { ColumnProfile } from '../../portable/cells/column-profile.ts';
import type { ValueKind } from '../../portable/cells/value-kind.ts';
import type { ImportOptions, RejectedTarget } from './import-options.ts';
import type { FormatJson } from './report-import.ts';
import type { TableSurvey } from './infer/survey-file.ts';
import type { RecognizedFile } from './recognize-file.ts';

/** A file to import, with the options of the request. */
export interface FileImport {
  readonly file: RecognizedFile;
  readonly options: ImportOptions;
  readonly output: JobOutput;
  /** The file has been read for its formats, which is the first of two passes. */
  readonly isSurveyed?: boolean;
  /** Where rejected rows are written, if the request asks for them. */
  readonly rejectedTo?: RejectedTarget | undefined;
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
    onProgress: progressOfPass({ file, output, pass: 1, passes: 2 }),
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
  readonly hasUnclearPoints: boolean;
  readonly isDecimalRequested: boolean;
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

/** One sentence for each table whose first row looks like data, although it was read as its header. */
export function headerWarnings(
  surveys: readonly TableSurvey[],
  { file, options }: Pick<FileImport, 'file' | 'options'>,
): readonly string[] {
  const hasHeaders = file.kind === 'csv' || file.kind === 'xlsx' || file.kind === 'zip';
  if (!hasHeaders || options.header === 'absent') return [];
  return surveys
    .filter((survey) => looksLikeData(survey))
    .map(
      ({ source }) =>
        `The first row of ${JSON.stringify(source)} looks like data, but was read as the names of the columns. If it is data, set header to absent.`,
    );
}

/** Whether the name of each column of numbers or dates is one too, and not the next in a series of years. */
function looksLikeData({ columns, rows }: TableSurvey): boolean {
  const names = [...columns]
    .filter(([, { isNamed, profile }]) => isNamed && (rows === 0 || isTyped(profile)))
    .map(([name]) => name.replace(/ \(\d+\)$/, ''));
  const kinds = names.map((name) => textKind(name));
  if (rows === 0) return kinds.some((kind) => kind !== 'text') && !isSeries(names, kinds);
  return names.length > 0 && kinds.every((kind) => kind !== 'text') && !isSeries(names, kinds);
}

function isTyped({ kind }: ColumnProfile): boolean {
  return kind !== undefined && kind !== 'text';
}

/** Several integers, each higher or each lower than the one before. */
function isSeries(names: readonly string[], kinds: readonly ValueKind[]): boolean {
  const integers = names.flatMap((name, i) => (kinds[i] === 'integer' ? [Number(name)] : []));
  if (integers.length < 2 || integers.length < kinds.filter((kind) => kind !== 'text').length)
    return false;
  const steps = integers.slice(1).map((number, i) => Math.sign(number - integers[i]!));
  return steps.every((step) => step !== 0 && step === steps[0]);
}

/** The formats of the request, or those that the values show. */
export function foundFormat(
  surveys: readonly TableSurvey[],
  { decimal, dateOrder }: ImportOptions,
): FoundFormat {
  const columns = surveys.flatMap((survey) => [...survey.columns.values()]);
  const found = formatOf(columns.flatMap(({ profile }) => profile.local?.notation ?? []));
  const format = { decimal: decimal ?? found.decimal, dateOrder: dateOrder ?? found.dateOrder };
  const [delimiter, other] = new Set(surveys.map((survey) => survey.delimiter));
  const profiles = columns.map(({ profile }) => profile);
  const evidence = { profiles, format, delimiter: other === undefined ? delimiter : undefined };
  return {
    ...format,
    hasUnclearPoints: hasUnclearPoints(evidence),
    isDecimalRequested: decimal !== undefined,
  };
}
