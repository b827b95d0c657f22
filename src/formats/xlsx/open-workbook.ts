/** An .xlsx file on disk. */
import { open } from 'node:fs/promises';
import { openArchive } from '../unzip.ts';
import {
  isCompoundFile,
  protectedWorkbookError,
  readWorkbook,
} from '../../portable/xlsx/read-workbook.ts';
import type { ArchiveSource } from '../unzip.ts';
import type { WorkbookParts } from '../../portable/xlsx/read-workbook.ts';

export interface Workbook extends WorkbookParts {
  close(): void;
}

export async function openWorkbook(source: ArchiveSource): Promise<Workbook> {
  await rejectCompoundFile(source);
  const archive = await openArchive(source);
  try {
    return { ...(await readWorkbook(source.name, archive.files)), close: archive.close };
  } catch (error) {
    archive.close();
    throw error;
  }
}

async function rejectCompoundFile({ name, path }: ArchiveSource): Promise<void> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(8), 0, 8, 0);
    if (isCompoundFile(buffer.subarray(0, bytesRead))) throw protectedWorkbookError(name);
  } finally {
    await file.close();
  }
}
