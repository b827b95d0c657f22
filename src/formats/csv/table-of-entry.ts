import type { PackedFile } from '../archive.ts';

/** What archivers of some systems put in by themselves. */
export function isLitter({ name }: Pick<PackedFile, 'name'>): boolean {
  return name.startsWith('__MACOSX/') || /^(?:\.|Thumbs\.db$|desktop\.ini$)/i.test(baseOf(name));
}

export function isCsv({ name }: Pick<PackedFile, 'name'>): boolean {
  return /\.(?:csv|tsv)$/i.test(name);
}

/** The comment has the exact name; a file name cannot have every character. */
export function tableOfEntry({ name, comment }: Pick<PackedFile, 'name' | 'comment'>): string {
  if (comment !== '') return comment;
  const plain = baseOf(name).replace(/\.(?:csv|tsv)$/i, '');
  try {
    return decodeURIComponent(plain);
  } catch {
    return plain;
  }
}

function baseOf(name: string): string {
  return name.slice(name.lastIndexOf('/') + 1);
}
