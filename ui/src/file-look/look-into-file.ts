import { headBytes } from './file-look.ts';
import type { FileLook, Manner } from './file-look.ts';

type LookInto = (file: File, manner: Manner) => Promise<FileLook>;

/** By the names that formats have in the studio; each is loaded when a file asks for it. */
const lookers: ReadonlyMap<string, LookInto> = new Map<string, LookInto>([
  [
    'CSV',
    async (file, manner) => {
      const { lookIntoCsv } = await import('./look-into-csv.ts');
      const bytes = new Uint8Array(await file.slice(0, headBytes).arrayBuffer());
      return lookIntoCsv({ bytes, isWhole: file.size <= headBytes }, manner);
    },
  ],
  ['JSON', async (file) => (await import('./look-into-json.ts')).lookIntoJson(file)],
  ['NDJSON', async (file) => (await import('./look-into-ndjson.ts')).lookIntoNdjson(file)],
  [
    'Excel',
    async (file, manner) => (await import('./look-into-xlsx.ts')).lookIntoXlsx(file, manner),
  ],
  [
    'CSV files in a zip',
    async (file, manner) => (await import('./look-into-zip.ts')).lookIntoZip(file, manner),
  ],
  ['SQL', async (file) => ({ start: await file.slice(0, textShown).text() })],
]);

const textShown = 4000;

/** Reads no more of a file than it takes to see its first rows, however large it is. */
export async function lookIntoFile(file: File, format: string, manner: Manner): Promise<FileLook> {
  if (file.size === 0) return { trouble: new Error(`${file.name} is empty.`) };
  try {
    return (await lookers.get(format)?.(file, manner)) ?? {};
  } catch (trouble) {
    return { trouble };
  }
}
