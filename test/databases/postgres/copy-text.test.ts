import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  createCopyLines,
  createCopyChunks,
} from '../../../src/databases/postgres/driver/copy-text.ts';
import type { CopyCollector } from '../../../src/databases/postgres/driver/copy-text.ts';
import type { Value } from '../../../src/model/values.ts';

const lines = (): CopyCollector => createCopyLines(() => {});

/** A field as PostgreSQL writes it. */
function escaped(value: string | null): string {
  if (value === null) return '\\N';
  const names: Readonly<Record<string, string>> = {
    '\\': '\\\\',
    '\b': '\\b',
    '\f': '\\f',
    '\n': '\\n',
    '\r': '\\r',
    '\t': '\\t',
    '\v': '\\v',
  };
  return value.replaceAll(/[\\\b\f\n\r\t\v]/g, (character) => names[character] ?? '');
}

describe('the text format of COPY', () => {
  test('is parsed into rows of values', () => {
    const collector = lines();
    collector.add(Buffer.from('1\t\\N\t\n'));
    collector.add(Buffer.from('\\\\N\ta\\tb\\n\\\\\té😀\n'));
    expect(collector.take()).toEqual([
      ['1', null, ''],
      ['\\N', 'a\tb\n\\', 'é😀'],
    ]);
    expect(collector.isEmpty()).toBe(true);
  });

  test('is parsed correctly wherever a message ends', () => {
    const field = fc.option(fc.string({ unit: 'binary' }).filter((text) => text.isWellFormed()));
    const rows = fc.array(fc.tuple(field, field), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(rows, fc.integer({ min: 1, max: 20 }), (values, size) => {
        const text = values.map((row) => `${row.map(escaped).join('\t')}\n`).join('');
        const bytes = Buffer.from(text);
        const collector = lines();
        // No message contains more than one line end. The driver reuses the buffer of a message.
        for (let start = 0; start < bytes.length;) {
          const lineEnd = bytes.indexOf(0x0a, start) + 1;
          const end = Math.min(start + size, lineEnd);
          const message = Buffer.from(bytes.subarray(start, end));
          collector.add(message);
          message.fill(0x21);
          start = end;
        }
        expect(collector.take()).toEqual(values);
      }),
    );
  });

  test('has a small first batch and larger ones after it', () => {
    const collector = lines();
    const add = (count: number): void => {
      for (let i = 0; i < count; i++) collector.add(Buffer.from('x\n'));
    };
    add(100);
    expect(collector.hasBatch()).toBe(true);
    collector.take();
    add(100);
    expect(collector.hasBatch()).toBe(false);
    add(900);
    expect([collector.hasBatch(), collector.isFull()]).toEqual([true, true]);
  });
});

describe('chunks of lines', () => {
  test('contain all lines and their number', () => {
    const collector = createCopyChunks((bytes) => bytes);
    const takenRows: (readonly Value[])[] = [];
    const sent: Buffer[] = [];
    for (let i = 0; i < 3000; i++) {
      const message = Buffer.from(`${'x'.repeat(i % 300)}${i}\n`);
      sent.push(Buffer.from(message));
      collector.add(message);
      message.fill(0x21);
      if (collector.hasBatch()) takenRows.push(...collector.take());
    }
    takenRows.push(...collector.take());
    expect(
      Buffer.concat(takenRows.map(([bytes]) => bytes as Buffer)).equals(Buffer.concat(sent)),
    ).toBe(true);
    expect(takenRows.reduce((sum, [, count]) => sum + Number(count), 0)).toBe(3000);
    expect(takenRows.length).toBeGreaterThan(2);
  });

  test('grow for longer lines', () => {
    const collector = createCopyChunks((bytes) => bytes);
    const long = Buffer.alloc(500_000, 'y');
    collector.add(Buffer.from('x\n'));
    collector.add(long);
    expect(collector.isFull()).toBe(true);
    const [[bytes] = []] = collector.take();
    expect(Buffer.from(bytes as Buffer).equals(Buffer.concat([Buffer.from('x\n'), long]))).toBe(
      true,
    );
  });
});
