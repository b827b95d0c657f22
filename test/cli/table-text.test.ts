import { expect, test } from 'vitest';
import { tableText } from '../../src/cli/table-text.ts';

const rows = '"columns":["id","name"],"rows":[{"id":1,"name":"Ada"},{"id":2,"name":null}]';

test('a read prints a table and its number of rows', () => {
  expect(tableText(`{"type":"read",${rows},"truncated":true}`)).toBe(
    'id | name\n---+-----\n1  | Ada\n2  | NULL\n2 rows, and more\n',
  );
});

test('a write that returns rows prints their table and the number of written rows', () => {
  expect(tableText(`{"type":"write","rows_affected":2,${rows},"truncated":false}`)).toBe(
    'id | name\n---+-----\n1  | Ada\n2  | NULL\n2 rows; 2 rows affected\n',
  );
  expect(tableText('{"type":"write","rows_affected":3,"message":"x"}')).toBe('3 rows affected\n');
});
