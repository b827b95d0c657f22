import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Busboy } from '@fastify/busboy';
import type { BusboyFileStream, BusboyInstance } from '@fastify/busboy';
import { StudioError } from '../model/errors.ts';
import { limitedBody } from './read-body.ts';
import type { Upload, UploadedFile } from '../studio/job.ts';

export interface UploadRules {
  /** Where the files are put. */
  readonly folder: string;
  /** What the files may take in all. */
  readonly limitBytes: number;
}

/** More than any form that a client of ours sends. */
const mostFiles = 1000;
const mostFields = 100;
const longestFieldBytes = 1024 * 1024;
/** Beside the files there are fields, and what parts them. */
const longestRestBytes = 8 * 1024 * 1024;

/** The form's fields and files; the files are on disk. Every file comes in a field called `file`. */
export async function readUpload(request: Request, rules: UploadRules): Promise<Upload> {
  const type = request.headers.get('content-type') ?? '';
  if (!/^multipart\/form-data\s*;/i.test(type)) {
    const found = type === '' ? 'none' : type;
    throw new StudioError(
      'unsupported_media_type',
      `A file comes as Content-Type: multipart/form-data, in a field called file, not as ${found}.`,
    );
  }
  const form = openForm(type, rules);
  const bodyLimit = rules.limitBytes + longestRestBytes;
  try {
    await pipeline(Readable.from(limitedBody(request, bodyLimit)), form.parser);
  } catch (error) {
    const told =
      form.failure() ?? (isTooLarge(error) ? tooLarge(rules.limitBytes) : readable(error));
    await form.abandon();
    throw told;
  }
  return await form.finish();
}

function isTooLarge(error: unknown): boolean {
  return error instanceof StudioError && error.code === 'too_large';
}

function tooLarge(limitBytes: number): StudioError {
  const most = limitBytes.toLocaleString('en');
  return new StudioError(
    'too_large',
    `An upload may take ${most} bytes; the option --max-upload says how many.`,
    { limit: limitBytes },
  );
}

interface Form {
  readonly parser: Writable;
  failure(): unknown;
  finish(): Promise<Upload>;
  /** Closes the files of a form that broke off: their streams never end by themselves. */
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
  parser.on('field', (...[name, value, , isCutOff]) => {
    if (isCutOff) fail(new StudioError('too_large', `The form field "${name}" is too long.`));
    if (Object.hasOwn(fields, name) && fields[name] !== value) fail(twice(name));
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
      throw new StudioError(
        'invalid_body',
        'The form has no file: it is to come in a field called file.',
      );
    },
  };
}

/** A file that is passed over would be missing without a word. */
function wrongFileField(field: string): StudioError {
  return new StudioError(
    'invalid_body',
    `The form has a file in the field "${field}": files come in fields called file.`,
  );
}

function twice(name: string): StudioError {
  return new StudioError('invalid_parameter', `The form says ${name} twice, and differently.`, {
    parameter: name,
  });
}

function createParser(type: string, { limitBytes }: UploadRules): BusboyInstance {
  try {
    return new Busboy({
      headers: { 'content-type': type },
      limits: {
        fileSize: limitBytes,
        files: mostFiles,
        fields: mostFields,
        fieldSize: longestFieldBytes,
      },
    });
  } catch (error) {
    throw readable(error);
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
  return { name: name ?? '', path, bytes: file.bytesWritten };
}

function readable(error: unknown): unknown {
  if (error instanceof StudioError) return error;
  const reason = error instanceof Error ? error.message : String(error);
  return new StudioError('invalid_body', `The multipart form cannot be read: ${reason}.`);
}
