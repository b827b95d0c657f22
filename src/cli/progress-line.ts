/** Shows the progress of an import or export in one line on stderr, if it is a terminal. */
import { printableText } from './terminal-text.ts';
import type { Progress } from '../studio/core/job.ts';

export interface ProgressLine {
  show(progress: Progress): void;
  /** Clears the line. */
  end(): void;
}

export const noProgressLine: ProgressLine = { show: () => {}, end: () => {} };

export function createProgressLine(terminal: NodeJS.WriteStream): ProgressLine {
  if (!terminal.isTTY) return noProgressLine;
  const start = performance.now();
  return {
    show: (progress) => {
      const seconds = (performance.now() - start) / 1000;
      const text = progressText(progress, seconds).slice(
        0,
        Math.max(1, (terminal.columns || 80) - 1),
      );
      terminal.write(`\r\x1b[2K${text}`);
    },
    end: () => void terminal.write('\r\x1b[2K'),
  };
}

const barCells = 20;

/** The first percent may take longer than the others, while a process starts. */
const estimatedFrom = 0.02;

/**
 * `users: 1,200,000 rows, 83%, 2 s left`. Without the size of an import: it may read its file twice.
 * `users: 1,200,000 rows, 83.0 MB, 9.9 MB/s` for an export, whose size is not known before its end.
 */
function progressText(
  { bytes, total_bytes: total, rows, table }: Progress,
  seconds: number,
): string {
  const start = table === undefined ? '' : `${printableText(table)}: `;
  if (total === 0 || bytes > total) {
    const rate = seconds > 0 ? bytes / seconds : 0;
    return `${start}${rowsText(rows)}, ${sizeText(bytes)}, ${sizeText(rate)}/s`;
  }
  const share = bytes / total;
  const filledCells = Math.round(share * barCells);
  const parts = [
    rows === 0 ? 'reading the file' : rowsText(rows),
    `${Math.floor(share * 100)}%`,
    ...(share < estimatedFrom ? [] : [`${Math.ceil((seconds * (1 - share)) / share)} s left`]),
  ];
  return `${'█'.repeat(filledCells)}${'░'.repeat(barCells - filledCells)} ${start}${parts.join(', ')}`;
}

export function rowsText(rows: number): string {
  return `${rows.toLocaleString('en')} ${rows === 1 ? 'row' : 'rows'}`;
}

const units = ['B', 'kB', 'MB', 'GB', 'TB'];

export function sizeText(bytes: number): string {
  let value = bytes;
  let unit = 0;
  for (; value >= 1000 && unit < units.length - 1; unit++) value /= 1000;
  return `${value.toFixed(unit === 0 ? 0 : 1)} ${units[unit]}`;
}
