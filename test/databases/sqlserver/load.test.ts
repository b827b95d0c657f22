/** The T-SQL statements of a load. */
import { describe, expect, test } from 'vitest';
import { sqlserverLoading } from '../../../src/databases/sqlserver/dialect/load-dialect.ts';
import { loadingTransaction } from '../../../src/databases/sqlserver/load/load.ts';
import { RowsFailure } from '../../../src/model/load-dialect.ts';
import { nativeColumn } from './native-column.ts';
import type { Query, Result, Session } from '../../../src/model/database.ts';
import type { ConflictRule, InsertBatch } from '../../../src/model/load-dialect.ts';
import type { Column, ForeignKey, Table } from '../../../src/model/schema.ts';
import type { Row } from '../../../src/model/values.ts';

const id = nativeColumn('id', 'bigint', { autoIncrement: true });
const code = nativeColumn('co]de', 'varchar(20)');
const price = nativeColumn('price', 'decimal(10,2)', { nullable: true });
const any = nativeColumn('any', 'sql_variant', { dynamic: true });

const key: ForeignKey = {
  name: 'k]ey',
  columns: ['price'],
  table: 'other',
  referencedColumns: ['id'],
  onUpdate: 'no action',
  onDelete: 'no action',
};

const books: Table = {
  name: 'shop.bo]oks',
  localName: 'bo]oks',
  namespace: 'shop',
  kind: 'table',
  columns: [id, code, price],
  primaryKey: { columns: ['id'] },
  indexes: [],
  foreignKeys: [key],
  checks: [],
};

interface Recording {
  readonly queries: Query[];
  readonly session: Session;
}

/** Returns a response by the text of the statement, or else one affected row for each inserted row. */
function recording(response: (query: Query) => Partial<Result> = () => ({})): Recording {
  const queries: Query[] = [];
  return {
    queries,
    session: {
      run: async (query) => {
        queries.push(query);
        return { columns: [], rows: [], rowsAffected: 1, ...response(query) };
      },
      stream: () => Promise.reject(new Error('Nothing is streamed.')),
    },
  };
}

function batchOf(
  columns: readonly Column[],
  rows: readonly Row[],
  conflict: ConflictRule,
): InsertBatch {
  return { table: books, columns, rows, conflict, firstRow: 1 };
}

describe('new rows', () => {
  test('are inserted with explicit identity values if they have some', async () => {
    const { queries, session } = recording(() => ({ rowsAffected: 2 }));
    const rows = [
      [1n, 'a', '1.50'],
      [2n, 'b', null],
    ];
    const counts = await loadingTransaction(session).insert(
      batchOf([id, code, price], rows, { kind: 'error' }),
    );
    expect(counts).toEqual({ inserted: 2, updated: 0 });
    expect(queries).toEqual([
      {
        text:
          'SET IDENTITY_INSERT [shop].[bo]]oks] ON; ' +
          'INSERT INTO [shop].[bo]]oks] ([id], [co]]de], [price]) VALUES ' +
          '(@p1/*bigint*/, @p2/*varchar*/, @p3/*decimal(10,2)*/), (@p4/*bigint*/, @p5/*varchar*/, @p6/*decimal(10,2)*/); ' +
          'SET IDENTITY_INSERT [shop].[bo]]oks] OFF',
        params: rows.flat(),
      },
    ]);
  });

  test('are divided into statements by their number of values', async () => {
    const { queries, session } = recording();
    const rows = Array.from({ length: 1500 }, (_, i): Row => [`c${i}`, '1.00']);
    await loadingTransaction(session).insert(batchOf([code, price], rows, { kind: 'error' }));
    expect(queries.map(({ params }) => params.length)).toEqual([2000, 1000]);
    expect(queries[0]?.text.startsWith('INSERT INTO')).toBe(true);
  });

  test('with different types per row, and rows of defaults, are inserted one by one', async () => {
    const { queries, session } = recording();
    const transaction = loadingTransaction(session);
    await transaction.insert(batchOf([any], [['a'], [1n]], { kind: 'error' }));
    await transaction.insert(batchOf([], [[], []], { kind: 'error' }));
    expect(queries.map(({ text }) => text)).toEqual([
      'INSERT INTO [shop].[bo]]oks] ([any]) VALUES (@p1)',
      'INSERT INTO [shop].[bo]]oks] ([any]) VALUES (@p1)',
      'INSERT INTO [shop].[bo]]oks] DEFAULT VALUES',
      'INSERT INTO [shop].[bo]]oks] DEFAULT VALUES',
    ]);
  });

  test('that fail are reported by their statement', async () => {
    const { session } = recording(({ params }) => {
      if (params[0] === 'c1000') throw new Error('no');
      return {};
    });
    const rows = Array.from({ length: 1500 }, (_, i): Row => [`c${i}`, '1.00']);
    const work = loadingTransaction(session).insert(
      batchOf([code, price], rows, { kind: 'error' }),
    );
    await expect(work).rejects.toMatchObject({ first: 1000, count: 500 });
    await expect(work).rejects.toBeInstanceOf(RowsFailure);
  });
});

describe('rows that may already exist', () => {
  const rows: readonly Row[] = [
    [1n, 'a', '1.50'],
    [2n, 'b', null],
  ];
  const found = ({ text }: Query): Partial<Result> =>
    text.includes('UPDLOCK') ? { rows: [[1]] } : {};

  test('are found and locked by their key, and missing ones are inserted', async () => {
    const { queries, session } = recording(found);
    const conflict: ConflictRule = { kind: 'skip', key: [{ column: id }] };
    const counts = await loadingTransaction(session).insert(
      batchOf([id, code, price], rows, conflict),
    );
    expect(counts).toEqual({ inserted: 1, updated: 0 });
    expect(queries.map(({ text, params }) => [text, params])).toEqual([
      [
        '(SELECT 0 AS n FROM [shop].[bo]]oks] WITH (UPDLOCK, ROWLOCK) WHERE [id] = @p1/*bigint*/) UNION ALL ' +
          '(SELECT 1 AS n FROM [shop].[bo]]oks] WITH (UPDLOCK, ROWLOCK) WHERE [id] = @p2/*bigint*/)',
        [1n, 2n],
      ],
      [
        expect.stringContaining('VALUES (@p1/*bigint*/, @p2/*varchar*/, @p3/*decimal(10,2)*/);'),
        [1n, 'a', '1.50'],
      ],
    ]);
  });

  test('are updated one by one, except for identity columns', async () => {
    const { queries, session } = recording(found);
    const conflict: ConflictRule = { kind: 'update', key: [{ column: code }] };
    const counts = await loadingTransaction(session).insert(
      batchOf([id, code, price], rows, conflict),
    );
    expect(counts).toEqual({ inserted: 1, updated: 1 });
    expect(queries[2]).toEqual({
      text: 'UPDATE [shop].[bo]]oks] SET [price] = @p1/*decimal(10,2)*/ WHERE [co]]de] = @p2/*varchar*/',
      params: [null, 'b'],
    });
  });
});

test('a foreign key is disabled, and all rows are checked when it is enabled again', () => {
  expect(sqlserverLoading.deferForeignKey(books, key)).toMatchObject({
    begin: ['ALTER TABLE [shop].[bo]]oks] NOCHECK CONSTRAINT [k]]ey]'],
    end: ['ALTER TABLE [shop].[bo]]oks] WITH CHECK CHECK CONSTRAINT [k]]ey]'],
    verifies: true,
    isLightweight: false,
  });
});
