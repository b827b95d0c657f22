import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Busboy } from '@fastify/busboy';
import type { BusboyFileStream, BusboyInstance } from '@fastify/busboy';
import { StudioError } from '../model/errors.ts';
import { limitedBody } from './read-body.ts';
import type { Upload, UploadedFile } from '../studio/core/job.ts';

export interface UploadRules {
  /** The folder that the files are written to. */
  readonly folder: string;
  /** Maximum total size of the files. */
  readonly limitBytes: number;
}

/** Limits on malicious forms, higher than any regular upload needs. */
const maxFiles = 10_000;
const maxFields = 100;
const maxFieldBytes = 1024 * 1024;
/** Allowance for fields and multipart boundaries in addition to the files. */
const multipartOverheadBytes = 8 * 1024 * 1024;

/** Parses a multipart form and writes its files to disk. Each file must be in a field named `file`. */
export async function readUpload(request: Request, rules: UploadRules): Promise<Upload> {
  const type = request.headers.get('content-type') ?? '';
  if (!/^multipart\/form-data\s*;/i.test(type)) {
    const found = type === '' ? 'none' : type;
    throw new StudioError(
      'unsupported_media_type',
      `The Content-Type must be multipart/form-data with a field named file, not ${found}.`,
    );
  }
  const form = openForm(type, rules);
  const bodyLimit = rules.limitBytes + multipartOverheadBytes;
  try {
    await pipeline(Readable.from(limitedBody(request, bodyLimit)), form.parser);
  } catch (error) {
    const studioError =
      form.failure() ?? (isTooLarge(error) ? tooLarge(rules.limitBytes) : unreadableForm(error));
    await form.abandon();
    throw studioError;
  }
  return await form.finish();
}

function isTooLarge(error: unknown): boolean {
  return error instanceof StudioError && error.code === 'too_large';
}

function tooLarge(limitBytes: number): StudioError {
  const limitText = limitBytes.toLocaleString('en');
  return new StudioError(
    'too_large',
    `The upload exceeds the limit of ${limitText} bytes, which the option --max-upload sets.`,
    { limit: limitBytes },
  );
}

interface Form {
  readonly parser: Writable;
  failure(): unknown;
  finish(): Promise<Upload>;
  /** Closes the files of an incomplete form: their streams would never end by themselves. */
  abandon(): Promise<void>;
}

function openForm(type: string, rules: UploadRules): Form {
  const fields: Record<string, string> = Object.create(null) as Record<string, string>;
  const saving: Promise<UploadedFile>[] = [];
  const streams: BusboyFileStream[] = [];
  let failure: unknown;
  const parser = createParser(type, rules);
  const fail = (error: unknown): void => {
    failure ??= error;
    parser.destroy();
  };
  parser.on('file', (field, stream, name) => {
    if (field !== 'file') {
      stream.resume();
      fail(wrongFileField(field));
      return;
    }
    const path = join(rules.folder, String(saving.length));
    const saved = save(stream, { name, path }, rules.limitBytes);
    saved.catch(fail);
    saving.push(saved);
    streams.push(stream);
  });
  // The third argument says whether the name is cut off.
  parser.on('field', (...[name, value, , isCutOff]) => {
    if (isCutOff) fail(new StudioError('too_large', `The form field "${name}" is too long.`));
    if (Object.hasOwn(fields, name) && fields[name] !== value) fail(conflictingValues(name));
    fields[name] = value;
  });
  for (const event of ['filesLimit', 'fieldsLimit', 'partsLimit'] as const)
    parser.on(event, () => fail(new StudioError('too_large', 'The form has too many parts.')));
  return {
    parser,
    failure: () => failure,
    abandon: async () => {
      for (const stream of streams) stream.destroy();
      await Promise.allSettled(saving);
    },
    finish: async () => {
      const files = await Promise.all(saving);
      if (failure !== undefined) throw failure;
      if (files.length > 0) return { files, fields };
      throw new StudioError('invalid_body', 'The form has no file. Send it in a field named file.');
    },
  };
}

/** Ignoring such a file would lose it silently. */
function wrongFileField(field: string): StudioError {
  return new StudioError(
    'invalid_body',
    `The form has a file in the field "${field}". Files must be in fields named file.`,
  );
}

function conflictingValues(name: string): StudioError {
  return new StudioError('invalid_parameter', `The form has two different values for ${name}.`, {
    parameter: name,
  });
}

function createParser(type: string, { limitBytes }: UploadRules): BusboyInstance {
  try {
    return new Busboy({
      headers: { 'content-type': type },
      preservePath: true,
      limits: {
        fileSize: limitBytes,
        files: maxFiles,
        fields: maxFields,
        fieldSize: maxFieldBytes,
      },
    });
  } catch (error) {
    throw unreadableForm(error);
  }
}

async function save(
  stream: BusboyFileStream,
  { name, path }: { readonly name: string; readonly path: string },
  limitBytes: number,
): Promise<UploadedFile> {
  const file = createWriteStream(path, { flags: 'wx', mode: 0o600 });
  await pipeline(stream, file);
  if (stream.truncated) throw tooLarge(limitBytes);
  return { ...folderAndName(name ?? ''), path, bytes: file.bytesWritten };
}

/** The folder and the name of an uploaded file. Browsers send paths with `/`, some clients with `\`. */
function folderAndName(path: string): Pick<UploadedFile, 'name' | 'folder'> {
  const parts = path.split(/[\\/]/);
  const name = parts.pop() ?? '';
  const folder = parts.filter((part) => !/^(?:\.{0,2}|[a-z]:)$/i.test(part)).join('/');
  return folder === '' ? { name } : { name, folder };
}

function unreadableForm(error: unknown): unknown {
  if (error instanceof StudioError) return error;
  const reason = error instanceof Error ? error.message : String(error);
  return new StudioError('invalid_body', `The multipart form cannot be read: ${reason}.`);
}
