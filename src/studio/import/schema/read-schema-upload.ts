/** Reads an uploaded schema file of any supported format. */
import { isUtf8 } from 'node:buffer';
import { extname } from 'node:path';
import { kindsWith } from '../../../databases/all.ts';
import { readSchemaFile } from '../../../formats/schema-formats.ts';
import { openText } from '../../../formats/text-source.ts';
import { StudioError } from '../../../model/errors.ts';
import { rankDialects } from '../../../sql/detect-dialect.ts';
import { tokenize } from '../../../portable/lexer/lexer.ts';
import { lineColumn } from '../../../portable/lexer/position.ts';
import { commonType } from '../../../sql/common-type.ts';
import { fileSource } from '../file-source.ts';
import { studioDumps } from '../../../sql/schema-script.ts';
import { cutOffWarnings } from './cut-off-dump.ts';
import type { ImportedSchema, FileDialect } from '../../../formats/schema-formats.ts';
import type { SchemaContext } from '../../../formats/schema-reader.ts';
import type { Dialect } from '../../../model/database.ts';
import type {
  DdlOptions,
  DdlProblem,
  DdlReader,
  DdlReadResult,
  Dropped,
  ExecutedStatement,
} from '../../../sql/ddl/ddl-reader.ts';
import type { Schema } from '../../../model/schema.ts';
import type { ScriptProgram } from '../../../model/stored-program.ts';
import type { RankedDialect } from '../../../sql/detect-dialect.ts';
import type { LexicalRules } from '../../../portable/lexer/lexer.ts';
import type { UploadedFile } from '../../core/job.ts';

export interface UploadedSchema extends ImportedSchema {
  /** Tables and views that the file drops and does not create. */
  readonly dropped: readonly Dropped[];
  /** Triggers and routines of a dump. */
  readonly programs: readonly ScriptProgram[];
  /** What a dump runs within other statements. */
  readonly executed?: readonly ExecutedStatement[] | undefined;
  /** Of the warnings, the one that names a detected dialect. */
  readonly dialectWarning?: readonly string[];
}

export interface SchemaUploadOptions {
  /** The dialect of the database that the schema is for. */
  readonly ownDialect: Dialect<'ddl'>;
  /** The dialect of a `.sql` file. Detected when absent. */
  readonly dialect?: string | undefined;
  /** As of `DdlOptions`. */
  readonly data: DdlOptions['data'];
  /** As of `DdlOptions`. */
  readonly hasRows?: boolean;
  /** As of `DdlOptions`. */
  readonly defaultNamespace?: string | undefined;
}

type Kind = 'sql' | 'json' | 'yaml' | 'dbml';

const kindByExtension: Readonly<Record<string, Kind>> = {
  '.sql': 'sql',
  '.ddl': 'sql',
  '.json': 'json',
  '.yaml': 'yaml',
  '.yml': 'yaml',
  '.dbml': 'dbml',
};

const databaseKinds = kindsWith('ddl');

/** Schema files are read into memory. */
const maxBytes = 50 * 1024 * 1024;

/** Fails with `unsupported_media_type`, `too_large`, or an error of the file. */
export async function readSchemaUpload(
  file: UploadedFile,
  options: SchemaUploadOptions,
): Promise<UploadedSchema> {
  if (file.bytes > maxBytes)
    throw new StudioError('too_large', `A schema file has at most 50 MB; ${file.name} has more.`);
  const text = await readText(file);
  const kind = kindOf(file.name, text);
  if (kind === 'sql') return readSql({ name: file.name, text }, options);
  const context = documentContext(options.ownDialect, file.name.replace(/\.\w+$/, ''));
  return { ...(await readSchemaFile(kind, text, context)), dropped: [], programs: [] };
}

/** What the readers of schema documents need of the databases. */
export function documentContext(ownDialect: Dialect<'ddl'>, database: string): SchemaContext {
  const dialects = databaseKinds.map(({ dialect, ddlReader }) => typeReader(dialect, ddlReader));
  const target = dialects.find(({ name }) => name === ownDialect.name) ?? dialects[0]!;
  return { target, dialects, database };
}

async function readText(file: UploadedFile): Promise<string> {
  const source = await openText(
    fileSource(file, () => undefined),
    {},
  );
  const chunks: Uint8Array[] = [];
  for await (const bytes of source.open()) chunks.push(bytes);
  const bytes = Buffer.concat(chunks);
  if (!isUtf8(bytes)) throw invalidTextError(file, bytes.toString('utf8'));
  return bytes.toString('utf8');
}

/** Decoding replaces bytes that are not UTF-8. */
function invalidTextError({ name }: UploadedFile, text: string): StudioError {
  const line = text.slice(0, text.indexOf('\uFFFD')).split('\n').length;
  return new StudioError('parse_failed', `${name}, line ${line}, is not valid UTF-8.`, { line });
}

function kindOf(name: string, text: string): Kind {
  const extension = extname(name).toLowerCase();
  const kind = Object.hasOwn(kindByExtension, extension) ? kindByExtension[extension] : undefined;
  if (kind !== undefined) return kind;
  const found = extension === '' ? kindByContent(text) : undefined;
  if (found !== undefined) return found;
  const extensions = Object.keys(kindByExtension).join(' ');
  throw new StudioError(
    'unsupported_media_type',
    `${name} is not of a kind that can be imported as a schema: ${extensions}.`,
  );
}

function kindByContent(text: string): Kind | undefined {
  const start = text.trimStart();
  if (/^[[{]/.test(start)) return 'json';
  if (/^(?:tables|driver|database)\s*:/m.test(start)) return 'yaml';
  if (/^[ \t]*(?:Table|Project|Enum)\s+[\w".]+.*\{/m.test(start)) return 'dbml';
  return /^(?:--|\/\*|create|begin|set|use|drop|pragma)/i.test(start) ? 'sql' : undefined;
}

function typeReader({ name, ddl }: Dialect<'ddl'>, reader: DdlReader): FileDialect {
  return {
    name,
    titles: ddl.productNames,
    readType: (text, assumed) => reader.readType(text, assumed),
    quoteText: (text) => ddl.quoteText(text),
  };
}

// SQL

async function readSql(file: NamedText, options: SchemaUploadOptions): Promise<UploadedSchema> {
  const { name, reading, proof } = await readByDialect(file.text, options);
  if (reading.problems.length > 0) throw problemsError(reading.problems);
  const { schema, warnings, dropped, programs, executed } = reading;
  const isAssumed = options.dialect === undefined && proof === undefined;
  const isForeign = options.dialect === undefined && name !== options.ownDialect.name;
  const ofDialect = isForeign
    ? [dialectWarning(file.name, name, proof)]
    : isAssumed && hasForeignTypes(schema, options.ownDialect)
      ? [assumedWarning(file.name, name)]
      : [];
  const ofBackslash = isAssumed ? backslashWarning(file.text, name) : [];
  const ofPipes = isAssumed ? pipesWarning(file.text, name) : [];
  return {
    schema,
    dialect: name,
    warnings: [...ofDialect, ...ofBackslash, ...ofPipes, ...warnings],
    dialectWarning: ofDialect,
    dropped,
    programs,
    executed,
  };
}

interface NamedText {
  readonly name: string;
  readonly text: string;
}

interface DialectReading {
  readonly name: string;
  readonly reading: DdlReadResult;
  readonly proof?: string | undefined;
}

/** Reads the text with the most likely dialect that can read it, or else returns the problems of the most likely one. */
async function readByDialect(text: string, options: SchemaUploadOptions): Promise<DialectReading> {
  const { ownDialect, dialect, data, hasRows = false, defaultNamespace } = options;
  const ranked: readonly RankedDialect[] =
    dialect === undefined
      ? rankDialectsOf(text, ownDialect)
      : [{ name: resolveDialect(dialect), proof: undefined }];
  let first: DialectReading | undefined;
  for (const { name, proof } of ranked) {
    const { ddlReader } = databaseKinds.find((kind) => kind.dialect.name === name)!;
    const target =
      name === ownDialect.name
        ? { skippedComments: ownDialect.skippedComments, defaultNamespace }
        : {};
    const read = await ddlReader.read(text, { data, hasRows, ...target });
    const cutOff =
      data === 'loaded' ? cutOffWarnings(text, [studioDumps, ...(ddlReader.dumpTools ?? [])]) : [];
    const reading = { ...read, warnings: [...read.warnings, ...cutOff] };
    const isRead = reading.problems.every(({ code }) => code !== 'parse_failed');
    const isPlausible = first === undefined || hasKnownTypes(reading, ddlReader);
    if (isRead && isPlausible) return { name, reading, proof };
    first ??= { name, reading, proof };
  }
  return first!;
}

/** SQLite accepts any words as a type, so misspelled SQL of other dialects could become types. */
function hasKnownTypes({ schema }: DdlReadResult, reader: DdlReader): boolean {
  return schema.tables.every(({ columns }) =>
    columns.every(
      ({ nativeType, type }) =>
        nativeType === '' ||
        type.kind === 'other' ||
        commonType(nativeType) !== undefined ||
        (reader.knowsType(nativeType) && !/\s/.test(withoutCharacterSet(nativeType))),
    ),
  );
}

/** MySQL reads NVARCHAR as a type with a character set. */
function withoutCharacterSet(type: string): string {
  return type.replaceAll(/ (?:character set|collate) \w+/gi, '');
}

function rankDialectsOf(text: string, ownDialect: Dialect<'ddl'>): readonly RankedDialect[] {
  const candidates = databaseKinds.map(({ dialect, ddlReader, dataScript }) => ({
    name: dialect.name,
    hints: ddlReader.dialectHints,
    comments: dataScript?.proofs.comments ?? [],
  }));
  return rankDialects(text, candidates, {
    name: ownDialect.name,
    lexical: lexicalOf(ownDialect.name),
  });
}

function lexicalOf(name: string): LexicalRules {
  return databaseKinds.find((kind) => kind.dialect.name === name)!.language.lexical;
}

/** Types that the database does not have, such as DATETIME in PostgreSQL, suggest that the file is of another one. */
function hasForeignTypes(schema: Schema, { ddl }: Dialect<'ddl'>): boolean {
  return schema.tables.some(({ columns }) =>
    columns.some(
      (column) =>
        column.type.kind === 'other' &&
        column.nativeType !== '' &&
        ddl.nativeType(column, schema) === undefined,
    ),
  );
}

function assumedWarning(file: string, name: string): string {
  return `${file} was read as SQL of ${name}, the database's own dialect: nothing in it shows another one, but it has types that the database does not have. If that is wrong, name its dialect.`;
}

function dialectWarning(file: string, name: string, proof: string | undefined): string {
  const reason =
    proof === undefined
      ? "it is not valid in the database's own dialect"
      : `it contains ${JSON.stringify(proof)}`;
  return `${file} was read as SQL of ${name}: ${reason}. If that is wrong, name its dialect.`;
}

/** A warning about the first string that another dialect would read differently. */
function backslashWarning(text: string, name: string): readonly string[] {
  const lexical = lexicalOf(name);
  const otherDialects = databaseKinds.filter(
    ({ language }) => language.lexical.backslashEscapes !== lexical.backslashEscapes,
  );
  const found = text.includes('\\')
    ? tokenize(text, lexical).find(
        ({ kind, start, end }) =>
          kind === 'string' &&
          /^[nN]?['"]/.test(text.slice(start, end)) &&
          /\\(?![%_])/.test(text.slice(start, end)),
      )
    : undefined;
  if (found === undefined || otherDialects.length === 0) return [];
  const names = otherDialects.map(({ dialect }) => dialect.name).join(' or ');
  const [keepsText, escapesText] = ['keeps the backslash', 'reads the backslash as an escape'];
  const excerpt = text.slice(found.start, Math.min(found.end, found.start + 40));
  return [
    `Line ${lineColumn(text, found.start).line}: ${excerpt} was read as SQL of ${name}, which ${lexical.backslashEscapes ? escapesText : keepsText}; ` +
      `${names} ${lexical.backslashEscapes ? keepsText : escapesText}. If the file was written for ${names}, import it with dialect=${otherDialects[0]?.dialect.name}.`,
  ];
}

/** A warning about the first `||`, if it is OR in the dialect and joins texts in others. */
function pipesWarning(text: string, name: string): readonly string[] {
  const pipesOf = new Map(databaseKinds.map((kind) => [kind.dialect.name, kind.expressions.pipes]));
  if (pipesOf.get(name) !== 'or' || !text.includes('||')) return [];
  const found = tokenize(text, lexicalOf(name)).find(
    ({ kind, start, end }) => kind === 'operator' && text.slice(start, end) === '||',
  );
  const others = [...pipesOf].filter(([, pipes]) => pipes === 'concat').map(([other]) => other);
  if (found === undefined || others.length === 0) return [];
  return [
    `Line ${lineColumn(text, found.start).line}: || was read as SQL of ${name}, where it is OR; in ${others.join(' and ')} it joins texts. ` +
      `If the file was written for ${others.join(' or ')}, import it with dialect=${others[0]}.`,
  ];
}

function resolveDialect(requested: string): string {
  const folded = requested.toLowerCase();
  const found = databaseKinds.find(({ dialect: { name, ddl } }) =>
    [name, ...ddl.productNames].some((title) => title.toLowerCase() === folded),
  );
  if (found !== undefined) return found.dialect.name;
  const dialectNames = databaseKinds.map(({ dialect }) => dialect.name).join(', ');
  throw new StudioError('invalid_parameter', `dialect must be one of ${dialectNames}.`, {
    parameter: 'dialect',
  });
}

/** Syntax errors take precedence over statements that are not supported. */
function problemsError(problems: readonly DdlProblem[]): StudioError {
  const first = problems.find(({ code }) => code === 'parse_failed') ?? problems[0]!;
  const code = first.code === 'parse_failed' ? 'parse_failed' : 'import_failed';
  const { line, column } = first;
  const message = `Line ${line}, column ${column}: ${first.message}`;
  return new StudioError(code, message, { line, column, errors: problems });
}
