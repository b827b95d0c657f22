/** Reads one field of 16 MB that has an escape for each character. Run by long-fields.test.ts with a small heap. */
import { copyFieldsOf } from '../../src/formats/sql/insert/copy-fields.ts';
import { loadDataRecords } from '../../src/formats/sql/files/load-data-records.ts';
import type { CopyField } from '../../src/formats/sql/insert/copy-fields.ts';

const count = 16 * 1024 * 1024;
const escaped = Buffer.alloc(2 * count, '""').toString('latin1');

const readers: Readonly<Record<string, () => readonly CopyField[]>> = {
  copy: () =>
    copyFieldsOf(
      `"${escaped}"`,
      { isCsv: true, delimiter: ',', nullText: '', quote: '"', escape: '"', hasHeader: false },
      1,
    ),
  'load-data': () => {
    const format = {
      delimiter: ',',
      quote: '"',
      escape: '\\',
      lineStart: '',
      lineEnd: '\n',
      skippedLines: 0,
    };
    const file = { text: `"${escaped}"\n`, at: 0, isLast: true };
    const record = loadDataRecords(format).readRecord(file);
    return typeof record === 'string' ? [] : record.fields;
  },
};

const [field] = readers[process.argv[2] ?? '']!();
process.stdout.write(String(field?.length));
