import { useEffect, useState } from 'react';
import { readLines } from '../file-preview/read-lines.ts';
import { useImport } from './import-store.ts';
import type { RowError } from './row-errors.ts';

const none: ReadonlyMap<number, string> = new Map();

/** Reads the lines of the file that errors point to, for formats with one row per line. */
export function useErrorLines(errors: readonly RowError[]): ReadonlyMap<number, string> {
  const { files, format, choices } = useImport();
  const [file] = files;
  const { encoding } = choices;
  const [lines, setLines] = useState(none);
  useEffect(() => {
    if (file === undefined || (format !== 'csv' && format !== 'ndjson')) return undefined;
    let isStale = false;
    const numbers = errors.flatMap(({ line }) => line ?? []);
    readLines(file, numbers, encoding === '' ? undefined : encoding)
      .then((foundLines) => (isStale ? undefined : setLines(foundLines)))
      // The file may have been deleted. The errors are then shown without their lines.
      .catch(() => setLines(none));
    return () => {
      isStale = true;
    };
  }, [file, format, encoding, errors]);
  return lines;
}
