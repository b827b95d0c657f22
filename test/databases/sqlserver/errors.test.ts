import { markIfRead } from '../../../src/databases/errors-of-reads.ts';
import { describe, expect, test } from 'vitest';

import {
  isStructureError,
  messageOf,
  translateError,
} from '../../../src/databases/sqlserver/dialect/errors.ts';

function raised(number: number, message = 'It went wrong.'): Error {
  return Object.assign(new Error(message), { number });
}

describe('an error of the server', () => {
  test.each([
    [
      2627,
      "Violation of PRIMARY KEY constraint 'pk_books'. Cannot insert duplicate key in object 'dbo.books'. The duplicate key value is (42).",
      { code: 'unique_violation', details: { constraint: 'pk_books', table: 'dbo.books' } },
    ],
    [
      2601,
      "Cannot insert duplicate key row in object 'dbo.books' with unique index 'ix_title'. The duplicate key value is (secret).",
      { code: 'unique_violation', details: { constraint: 'ix_title', table: 'dbo.books' } },
    ],
    [
      547,
      'The INSERT statement conflicted with the FOREIGN KEY constraint "fk_author". The conflict occurred in database "app", table "dbo.authors", column \'id\'.',
      { code: 'foreign_key_violation', details: { constraint: 'fk_author', table: 'dbo.authors' } },
    ],
    [
      547,
      'The DELETE statement conflicted with the REFERENCE constraint "fk_author". The conflict occurred in database "app", table "dbo.books", column \'author_id\'.',
      { code: 'foreign_key_violation', details: { constraint: 'fk_author', table: 'dbo.books' } },
    ],
    [
      547,
      'The UPDATE statement conflicted with the CHECK constraint "ck_price". The conflict occurred in database "app", table "dbo.books", column \'price\'.',
      { code: 'check_violation', details: { constraint: 'ck_price', table: 'dbo.books' } },
    ],
    [
      515,
      "Cannot insert the value NULL into column 'title', table 'app.dbo.books'; column does not allow nulls. INSERT fails.",
      { code: 'not_null_violation', details: { column: 'title' } },
    ],
    [
      2628,
      "String or binary data would be truncated in table 'app.dbo.books', column 'title'. Truncated value: 'secret'.",
      { code: 'invalid_value', details: { column: 'title' } },
    ],
    [8152, 'String or binary data would be truncated.', { code: 'invalid_value' }],
    [
      8115,
      'Arithmetic overflow error converting nvarchar to data type numeric.',
      { code: 'invalid_value' },
    ],
    [8114, 'Error converting data type nvarchar to int.', { code: 'invalid_value' }],
    [
      241,
      'Conversion failed when converting date and/or time from character string.',
      { code: 'invalid_value' },
    ],
    [
      8102,
      "Cannot update identity column 'id'.",
      { code: 'invalid_value', details: { column: 'id' } },
    ],
    [
      13_559,
      "Cannot insert rows in a temporal history table 'app.dbo.h'.",
      { code: 'not_writable' },
    ],
    [
      1205,
      'Transaction (Process ID 52) was deadlocked on lock resources …',
      { code: 'write_conflict' },
    ],
    [
      3960,
      'Snapshot isolation transaction aborted due to update conflict. …',
      { code: 'write_conflict' },
    ],
    [1222, 'Lock request time out period exceeded.', { code: 'database_busy' }],
    [
      229,
      "The INSERT permission was denied on the object 'books' …",
      { code: 'permission_denied' },
    ],
    [
      3906,
      'Failed to update database "app" because the database is read-only.',
      { code: 'read_only' },
    ],
    [
      40_613,
      "Database 'app' on server 'x' is not currently available.",
      { code: 'database_unavailable' },
    ],
    [
      10_928,
      'Resource ID : 1. The request limit for the database is 60 …',
      { code: 'database_busy' },
    ],
    [
      50_000,
      'No books on Mondays.',
      {
        code: 'check_violation',
        message: 'The database rejected the statement: No books on Mondays.',
      },
    ],
  ])('%i means %o', (number, message, meaning) => {
    expect(translateError(raised(number, message))).toMatchObject(meaning);
  });

  test('does not contain values of rows', () => {
    const text = [2627, 2601, 2628].map((number) =>
      translateError(raised(number, "… in object 'dbo.t' … value 'secret' (secret) …")),
    );
    expect(JSON.stringify(text.map((error) => [error?.message, error?.details]))).not.toContain(
      'secret',
    );
  });

  test("about the SQL text has the general code and the server's message", () => {
    const error = raised(102, "Incorrect syntax near 'FROM'.");
    expect(translateError(error)).toBeUndefined();
    expect(messageOf(error)).toBe("Incorrect syntax near 'FROM'.");
  });

  test('among several is the known one', () => {
    const error = new AggregateError([raised(2627, "… constraint 'pk'. …"), raised(3609)]);
    expect(translateError(error)).toMatchObject({ code: 'unique_violation' });
    expect(translateError(new AggregateError([raised(102), raised(1205)]))).toMatchObject({
      code: 'write_conflict',
    });
  });

  test('about a value that is only compared is an error of a parameter', () => {
    expect(translateError(markIfRead('SELECT 1', raised(8114)))).toMatchObject({
      code: 'invalid_parameter',
    });
  });

  test.each([207, 208])('%i means that the structure has changed', (number) => {
    expect(isStructureError(raised(number))).toBe(true);
  });
});

describe('an error of the studio', () => {
  test('is not translated as one of the database', () => {
    expect(translateError(new TypeError('x'))).toBeUndefined();
    expect(messageOf(new TypeError('x'))).toBeUndefined();
    expect(isStructureError(undefined)).toBe(false);
  });
});
