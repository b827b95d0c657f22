/** Shows the progress of an import or export in one line on stderr, if it is a terminal. */
import { printableText } from './terminal-text.ts';
import type { Progress } from '../studio/core/job.ts';

export interface ProgressLine {
  show(progress: Progress): void;
  /** Clears the line. */
  end(): void;
}

const silent: ProgressLine = { show: () => {}, end: () => {} };

export function createProgressLine(terminal: NodeJS.WriteStream): ProgressLine {
  if (!terminal.isTTY) return silent;
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

/** `users: 1,200,000 rows, 83.0 MB of 100.0 MB, 9.9 MB/s, 2 s left`. */
function progressText(progress: Progress, seconds: number): string {
  const { bytes, total_bytes: total, rows, table } = progress;
  const rate = seconds > 0 ? bytes / seconds : 0;
  const isKnown = total > 0 && bytes <= total;
  const filledCells = isKnown ? Math.round((bytes / total) * barCells) : 0;
  const parts = [
    rowsText(rows),
    isKnown ? `${sizeText(bytes)} of ${sizeText(total)}` : sizeText(bytes),
    `${sizeText(rate)}/s`,
    ...(isKnown && rate > 0 ? [`${Math.ceil((total - bytes) / rate)} s left`] : []),
  ];
  const bar = isKnown ? `${'█'.repeat(filledCells)}${'░'.repeat(barCells - filledCells)} ` : '';
  return `${bar}${table === undefined ? '' : `${printableText(table)}: `}${parts.join(', ')}`;
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
