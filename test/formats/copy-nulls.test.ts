/** FORCE_NULL and FORCE_NOT_NULL of COPY, with the values that PostgreSQL 15 stores. */
import { expect, test } from 'vitest';
import { copyFieldsOf } from '../../src/formats/sql/insert/copy-fields.ts';
import type { CopyFormat } from '../../src/formats/sql/insert/copy-format.ts';

const csv: CopyFormat = {
  isCsv: true,
  delimiter: ',',
  nullText: '',
  quote: '"',
  escape: '"',
  hasHeader: false,
};

test.each<[line: string, format: Partial<CopyFormat>, fields: readonly (string | null)[]]>([
  ['"",,x', {}, ['', null, 'x']],
  ['"",,x', { forceNull: new Set([0]) }, [null, null, 'x']],
  ['"",,x', { forceNotNull: new Set([1]) }, ['', '', 'x']],
  ['"",,x', { forceNull: new Set([0, 1]), forceNotNull: new Set([0, 1]) }, [null, '', 'x']],
  ['"",,x', { forceNull: 'all' }, [null, null, 'x']],
  ['"",,x', { forceNotNull: 'all' }, ['', '', 'x']],
  ['"N",N,x', { nullText: 'N', forceNull: 'all' }, [null, null, 'x']],
  ['"N",N,x', { nullText: 'N', forceNotNull: 'all' }, ['N', 'N', 'x']],
])('%s with %o', (line, format, fields) => {
  expect(copyFieldsOf(line, { ...csv, ...format }, 3)).toEqual(fields);
});
