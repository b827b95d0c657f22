import type { ArchiveFile } from './archive.ts';

/** Files that archivers and operating systems add by themselves. */
export function isSystemFile({ name }: Pick<ArchiveFile, 'name'>): boolean {
  return name.startsWith('__MACOSX/') || /^(?:\.|Thumbs\.db$|desktop\.ini$)/i.test(baseOf(name));
}

export function isCsv({ name }: Pick<ArchiveFile, 'name'>): boolean {
  return /\.(?:csv|tsv)$/i.test(name);
}

/** Exports put the exact name into the entry's comment, since a file name cannot contain every character. */
export function tableOfEntry({ name, comment }: Pick<ArchiveFile, 'name' | 'comment'>): string {
  if (comment !== '') return comment;
  const nameWithoutExtension = baseOf(name).replace(/\.(?:csv|tsv)$/i, '');
  try {
    return decodeURIComponent(nameWithoutExtension);
  } catch {
    return nameWithoutExtension;
  }
}

function baseOf(name: string): string {
  return name.slice(name.lastIndexOf('/') + 1);
}
