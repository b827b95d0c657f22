/** The parts of an .xlsx file, found by the relations that they declare. */
import { open } from 'node:fs/promises';
import { posix } from 'node:path';
import { StudioError } from '../../model/errors.ts';
import { openArchive } from '../unzip.ts';
import { readXml } from './read-xml.ts';
import type { Archive, ArchivePlace, PackedFile } from '../unzip.ts';
import type { XmlTag } from './read-xml.ts';

export interface Workbook {
  readonly sheets: readonly Sheet[];
  /** Days count from 1904, as on old Macs. */
  readonly from1904: boolean;
  readonly strings: PackedFile | undefined;
  readonly styles: PackedFile | undefined;
  close(): void;
}

export interface Sheet {
  readonly name: string;
  readonly isHidden: boolean;
  readonly part: PackedFile;
}

export async function openWorkbook(place: ArchivePlace): Promise<Workbook> {
  await mustBeArchive(place);
  const archive = await openArchive(place);
  try {
    return { ...(await readWorkbook(place.name, archive)), close: archive.close };
  } catch (error) {
    archive.close();
    throw error;
  }
}

const compoundFile = Buffer.from('d0cf11e0a1b11ae1', 'hex');

/** A password turns a workbook into another kind of file; the format before 2007 was of that kind too. */
async function mustBeArchive({ name, path }: ArchivePlace): Promise<void> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(8), 0, 8, 0);
    if (!buffer.subarray(0, bytesRead).equals(compoundFile)) return;
  } finally {
    await file.close();
  }
  throw refusal(name, 'it is protected by a password, or of the format before 2007 (.xls)');
}

function refusal(name: string, why: string): StudioError {
  return new StudioError('parse_failed', `${name} cannot be read as a workbook: ${why}.`);
}

type Parts = Omit<Workbook, 'close'>;

async function readWorkbook(name: string, archive: Archive): Promise<Parts> {
  const partAt = partFinder(archive);
  const [main] = [...(await readRelations('', partAt)).values()].filter(
    ({ type }) => type === 'officeDocument',
  );
  const mainPart = main && partAt(main.target);
  if (main === undefined || mainPart === undefined) throw refusal(name, 'it holds no workbook');
  const relations = await readRelations(main.target, partAt);
  const { sheets, from1904 } = await readMain(mainPart);
  const found = sheets.flatMap(({ relation, ...sheet }) => {
    const target = relations.get(relation);
    const part = target?.type === 'worksheet' ? partAt(target.target) : undefined;
    return part === undefined ? [] : [{ ...sheet, part }];
  });
  if (found.length === 0) throw refusal(name, 'it holds no sheet of cells');
  const ofType = (type: string): PackedFile | undefined => {
    const target = [...relations.values()].find((relation) => relation.type === type);
    return target && partAt(target.target);
  };
  return { sheets: found, from1904, strings: ofType('sharedStrings'), styles: ofType('styles') };
}

type FindPart = (path: string) => PackedFile | undefined;

/** Some writers separate folders by backslashes, or mix cases. */
function partFinder({ files }: Archive): FindPart {
  const plain = (path: string): string =>
    path.replaceAll('\\', '/').replace(/^\//, '').toLowerCase();
  const byPath = new Map(files.map((file) => [plain(file.name), file]));
  return (path) => byPath.get(plain(path));
}

interface Relation {
  /** The last word of its type's URI. */
  readonly type: string;
  readonly target: string;
}

async function readRelations(
  path: string,
  partAt: FindPart,
): Promise<ReadonlyMap<string, Relation>> {
  const folder = posix.dirname(path);
  const part = partAt(posix.join(folder, '_rels', `${posix.basename(path)}.rels`));
  const relations = new Map<string, Relation>();
  if (part === undefined) return relations;
  await readTags(part, (name, tag) => {
    if (name !== 'Relationship') return;
    const target = tag.attribute('Target') ?? '';
    relations.set(tag.attribute('Id') ?? '', {
      type: (tag.attribute('Type') ?? '').split('/').at(-1) ?? '',
      target: target.startsWith('/') ? target.slice(1) : posix.join(folder, target),
    });
  });
  return relations;
}

interface SheetEntry {
  readonly name: string;
  readonly isHidden: boolean;
  readonly relation: string;
}

async function readMain(
  part: PackedFile,
): Promise<{ readonly sheets: readonly SheetEntry[]; readonly from1904: boolean }> {
  const sheets: SheetEntry[] = [];
  let from1904 = false;
  await readTags(part, (name, tag) => {
    if (name === 'workbookPr') from1904 ||= /^(?:1|true)$/.test(tag.attribute('date1904') ?? '');
    if (name !== 'sheet') return;
    sheets.push({
      name: tag.attribute('name') ?? '',
      isHidden: /hidden/i.test(tag.attribute('state') ?? ''),
      relation: tag.attribute('id') ?? '',
    });
  });
  return { sheets, from1904 };
}

function readTags(part: PackedFile, onOpen: (name: string, tag: XmlTag) => void): Promise<void> {
  return readXml(part.open(), { open: onOpen, text: () => undefined, close: () => undefined });
}
