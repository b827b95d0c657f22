/** Finds the parts of an .xlsx file by their relationships. */
import { StudioError } from '../../model/errors.ts';
import { tableProperty } from './parts.ts';
import { readXml } from './read-xml.ts';
import { decodeEscapes } from './shared-strings.ts';
import type { ArchiveFile } from '../files/archive.ts';
import type { XmlTag } from './read-xml.ts';

export interface WorkbookParts {
  readonly sheets: readonly Sheet[];
  /** Serial dates count from 1904, as in Excel for old Macs. */
  readonly from1904: boolean;
  readonly strings: ArchiveFile | undefined;
  readonly styles: ArchiveFile | undefined;
}

export interface Sheet {
  readonly name: string;
  readonly isHidden: boolean;
  /** The table that the workbook names for the sheet; exports of several tables do. */
  readonly table: string | undefined;
  readonly part: ArchiveFile;
}

const compoundFileSignature = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1];

/** Password-protected workbooks and .xls files are OLE compound files, not zip archives. */
export function isCompoundFile(start: Uint8Array): boolean {
  return compoundFileSignature.every((byte, i) => start[i] === byte);
}

export function protectedWorkbookError(name: string): StudioError {
  return workbookError(
    name,
    'it is protected by a password, or in the format before 2007 (.xls). Save it as .xlsx without a password',
  );
}

function workbookError(name: string, reason: string): StudioError {
  return new StudioError('parse_failed', `${name} cannot be read as a workbook: ${reason}.`);
}

export async function readWorkbook(
  name: string,
  files: readonly ArchiveFile[],
): Promise<WorkbookParts> {
  const partAt = partFinder(files);
  const packaged = [...(await readRelations('', partAt)).values()];
  const main = packaged.find(({ type }) => type === 'officeDocument');
  const mainPart = main && partAt(main.target);
  if (main === undefined || mainPart === undefined)
    throw workbookError(name, 'it contains no workbook');
  const relations = await readRelations(main.target, partAt);
  const { sheets, from1904 } = await readMain(mainPart);
  const tables = await readTableProperties(packaged, partAt);
  const found = sheets.flatMap(({ relation, ...sheet }) => {
    const target = relations.get(relation);
    const part = target?.type === 'worksheet' ? partAt(target.target) : undefined;
    return part === undefined ? [] : [{ ...sheet, table: tables.get(sheet.name), part }];
  });
  if (found.length === 0) throw workbookError(name, 'it contains no worksheet');
  const ofType = (type: string): ArchiveFile | undefined => {
    const target = [...relations.values()].find((relation) => relation.type === type);
    return target && partAt(target.target);
  };
  return { sheets: found, from1904, strings: ofType('sharedStrings'), styles: ofType('styles') };
}

/** Finds a sheet by its name, or its number from 1. Without a name, returns the first visible one. */
export function findSheet(sheets: readonly Sheet[], requested: string | undefined): Sheet {
  const byNumber = /^\d+$/.test(requested ?? '') ? sheets[Number(requested) - 1] : undefined;
  const found =
    requested === undefined
      ? (sheets.find(({ isHidden }) => !isHidden) ?? sheets[0])
      : (sheets.find(({ name }) => name === requested) ?? byNumber);
  if (found !== undefined) return found;
  const names = sheets.map(({ name }) => `"${name}"`).join(', ');
  throw new StudioError(
    'invalid_parameter',
    `The workbook has no sheet "${requested}"; it has ${names}.`,
    { parameter: 'sheet' },
  );
}

type FindPart = (path: string) => ArchiveFile | undefined;

/** Ignores case, and accepts backslashes, since some writers do not follow the standard. */
function partFinder(files: readonly ArchiveFile[]): FindPart {
  const normalizedPath = (path: string): string =>
    path.replaceAll('\\', '/').replace(/^\//, '').toLowerCase();
  const byPath = new Map(files.map((file) => [normalizedPath(file.name), file]));
  return (path) => byPath.get(normalizedPath(path));
}

interface Relationship {
  /** The last segment of the type's URI. */
  readonly type: string;
  readonly target: string;
}

async function readRelations(
  path: string,
  partAt: FindPart,
): Promise<ReadonlyMap<string, Relationship>> {
  const [base = '', ...folders] = path.split('/').toReversed();
  const folder = folders.toReversed().join('/');
  const part = partAt(pathFrom(folder, `_rels/${base}.rels`));
  const relations = new Map<string, Relationship>();
  if (part === undefined) return relations;
  await readTags(part, (name, tag) => {
    if (name !== 'Relationship') return;
    const target = tag.attribute('Target') ?? '';
    relations.set(tag.attribute('Id') ?? '', {
      type: (tag.attribute('Type') ?? '').split('/').at(-1) ?? '',
      target: target.startsWith('/') ? target.slice(1) : pathFrom(folder, target),
    });
  });
  return relations;
}

function pathFrom(folder: string, target: string): string {
  const parts: string[] = [];
  for (const part of `${folder}/${target}`.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return parts.join('/');
}

/** Table names, by the names of sheets. */
async function readTableProperties(
  relations: readonly Relationship[],
  partAt: FindPart,
): Promise<ReadonlyMap<string, string>> {
  const target = relations.find(({ type }) => type === 'custom-properties')?.target;
  const part = target === undefined ? undefined : partAt(target);
  const tables = new Map<string, string>();
  if (part === undefined) return tables;
  let sheet: string | undefined;
  await readXml(part.open(), {
    open: (name, tag) => {
      if (name !== 'property') return;
      const property = decodeEscapes(tag.attribute('name') ?? '');
      sheet = property.startsWith(tableProperty) ? property.slice(tableProperty.length) : undefined;
      if (sheet !== undefined) tables.set(sheet, '');
    },
    text: (text) => {
      if (sheet !== undefined) tables.set(sheet, (tables.get(sheet) ?? '') + text);
    },
    close: (name) => {
      if (name === 'property') sheet = undefined;
    },
  });
  return new Map([...tables].map(([name, table]) => [name, decodeEscapes(table)]));
}

interface SheetEntry {
  readonly name: string;
  readonly isHidden: boolean;
  readonly relation: string;
}

async function readMain(
  part: ArchiveFile,
): Promise<{ readonly sheets: readonly SheetEntry[]; readonly from1904: boolean }> {
  const sheets: SheetEntry[] = [];
  let from1904 = false;
  await readTags(part, (name, tag) => {
    if (name === 'workbookPr') from1904 ||= /^(?:1|true)$/.test(tag.attribute('date1904') ?? '');
    if (name !== 'sheet') return;
    sheets.push({
      name: decodeEscapes(tag.attribute('name') ?? ''),
      isHidden: /hidden/i.test(tag.attribute('state') ?? ''),
      relation: tag.attribute('id') ?? '',
    });
  });
  return { sheets, from1904 };
}

function readTags(part: ArchiveFile, onOpen: (name: string, tag: XmlTag) => void): Promise<void> {
  return readXml(part.open(), { open: onOpen, text: () => undefined, close: () => undefined });
}
