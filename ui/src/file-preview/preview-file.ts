import { headBytes } from './file-preview.ts';
import type { FilePreview, ReadOptions } from './file-preview.ts';
import { filePreviewTexts as texts } from '../texts/file-preview.ts';

type PreviewFunction = (file: File, options: ReadOptions) => Promise<FilePreview>;

/** The preview functions by format name. Each is loaded when it is first needed. */
const previewFunctions: ReadonlyMap<string, PreviewFunction> = new Map<string, PreviewFunction>([
  [
    'csv',
    async (file, options) => {
      const { previewCsv } = await import('./preview-csv.ts');
      const bytes = new Uint8Array(await file.slice(0, headBytes).arrayBuffer());
      return previewCsv({ bytes, isWhole: file.size <= headBytes }, options);
    },
  ],
  ['json', async (file) => (await import('./preview-json.ts')).previewJson(file)],
  ['ndjson', async (file) => (await import('./preview-ndjson.ts')).previewNdjson(file)],
  ['xlsx', async (file, options) => (await import('./preview-xlsx.ts')).previewXlsx(file, options)],
  ['zip', async (file, options) => (await import('./preview-zip.ts')).previewZip(file, options)],
  ['sql', async (file) => ({ start: await file.slice(0, textShown).text() })],
]);

const textShown = 4000;

/** Previews a file. Reads only as much of it as its first rows need. */
export async function previewFile(
  file: File,
  format: string | undefined,
  options: ReadOptions,
): Promise<FilePreview> {
  if (file.size === 0) return { error: new Error(texts.empty({ file: file.name })) };
  try {
    return (await previewFunctions.get(format ?? '')?.(file, options)) ?? {};
  } catch (error) {
    return { error };
  }
}
