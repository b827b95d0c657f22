/** The errors of a file on the import page. */
import { expect, test } from 'vitest';
import { StudioError } from '../../src/model/errors.ts';
import { readLines } from '../../ui/src/file-preview/read-lines.ts';
import {
  errorsAsCsv,
  fileErrorsInDetails,
  fileErrorsOf,
} from '../../ui/src/importing/row-errors.ts';

test('positions in a script are not columns', () => {
  const message = 'Line 3, column 16: "," is not expected here.';
  const errors = [{ code: 'parse_failed', message, line: 3, column: 16 }];
  const found = fileErrorsInDetails(new StudioError('parse_failed', message, { errors }));
  expect(found?.first).toEqual([{ code: 'parse_failed', message, line: 3 }]);
  expect([...(found?.byColumn ?? [])]).toEqual([[undefined, 1]]);
});

test('the numbers of errors are those of the server, also beyond the listed ones', () => {
  const error = {
    code: 'invalid_value',
    message: 'No number.',
    table: 't',
    column: 'n',
    value: 'x',
  };
  const found = fileErrorsOf({
    errors: [error],
    error_count: 250,
    error_counts: [{ column: 'n', count: 200 }, { column: 'm', count: 49 }, { count: 1 }],
  });
  expect(found?.count).toBe(250);
  expect([...(found?.byColumn ?? [])]).toEqual([
    ['n', 200],
    ['m', 49],
    [undefined, 1],
  ]);
});

test('the errors as CSV have the values, and no formulas', () => {
  const error = { code: 'invalid_value', message: 'a "b"', column: 'n', value: '=1+1', row: 1 };
  expect(errorsAsCsv([error])).toBe(
    `table,row,line,column,value,code,message\r\n,1,,n,'=1+1,invalid_value,"a ""b"""\r\n`,
  );
});

test.each([
  ['windows-1252', Buffer.from('id,name\n1,Ren\xe9e\n', 'latin1')],
  ['windows-1252 after a megabyte of ASCII', latinAfter(2 ** 20 + 3)],
  ['UTF-8', Buffer.from('id,name\n1,Renée\n')],
  [
    'UTF-8 with an invalid byte',
    Buffer.concat([Buffer.from('id,name\n1,Renée\n2,ü'), Buffer.from([0xe9])]),
  ],
  ['UTF-16', Buffer.from('\ufeffid,name\n1,Renée\n', 'utf16le')],
])('the lines of a file in %s are decoded as the server decodes them', async (_, bytes) => {
  const lines = await readLines(new Blob([new Uint8Array(bytes)]), [2]);
  expect(lines.get(2)).toBe('1,Renée');
});

test('a record with line breaks between quotes is returned with all of its lines', async () => {
  const file = new Blob(['id,note\r\n1,"a ""b""\r\nc\nd"\r\n2,x\r\n3,"y\n']);
  const lines = await readLines(file, [2, 5, 6], { quote: '"' });
  expect([...lines]).toEqual([
    [2, '1,"a ""b"" ↵ c ↵ d"'],
    [5, '2,x'],
    [6, '3,"y ↵ '],
  ]);
});

function latinAfter(bytes: number): Buffer {
  const ascii = `\n${'x'.repeat(bytes)}\n`;
  return Buffer.concat([Buffer.from('id,name\n1,Ren\xe9e', 'latin1'), Buffer.from(ascii)]);
}
