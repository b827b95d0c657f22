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
    // The type declarations of the library omit comments.
    const options = comment === undefined ? {} : { fileComment: comment };
    zip.addBuffer(Buffer.from(content), name, options as Partial<Options>);
  }
  zip.end();
  const chunks: Buffer[] = [];
  for await (const chunk of zip.outputStream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
