import { ZipFile } from 'yazl';
import type { Options } from 'yazl';

export interface FileToPack {
  readonly name: string;
  readonly content: string | Buffer;
  readonly comment?: string;
}

export async function writeZipOf(files: readonly FileToPack[]): Promise<Buffer> {
  const zip = new ZipFile();
  for (const { name, content, comment } of files) {
    // Its types do not know of comments.
    const options = comment === undefined ? {} : { fileComment: comment };
    zip.addBuffer(Buffer.from(content), name, options as Partial<Options>);
  }
  zip.end();
  const pieces: Buffer[] = [];
  for await (const piece of zip.outputStream) pieces.push(piece as Buffer);
  return Buffer.concat(pieces);
}
