import { useEffect, useState } from 'react';
import { readLines } from '../file-preview/read-lines.ts';
import { undefinedIfEmpty } from './import-choices.ts';
import { useImport } from './import-store.ts';
import type { RowError } from './row-errors.ts';

const none: ReadonlyMap<number, string> = new Map();

/** Reads the lines of the file that errors point to, for formats with one row per line. */
export function useErrorLines(errors: readonly RowError[]): ReadonlyMap<number, string> {
  const { files, format, choices } = useImport();
  const [file] = files;
  const { encoding, quote } = choices;
  const [lines, setLines] = useState(none);
  useEffect(() => {
    if (file === undefined || (format !== 'csv' && format !== 'ndjson')) return undefined;
    let isStale = false;
    const numbers = errors.flatMap(({ line }) => line ?? []);
    readLines(file, numbers, {
      encoding: undefinedIfEmpty(encoding),
      quote: format === 'csv' ? quote || '"' : undefined,
    })
      .then((foundLines) => (isStale ? undefined : setLines(foundLines)))
      // The file may have been deleted. The errors are then shown without their lines.
      .catch(() => setLines(none));
    return () => {
      isStale = true;
    };
  }, [file, format, encoding, quote, errors]);
  return lines;
}
