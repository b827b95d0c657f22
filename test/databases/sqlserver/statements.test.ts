/** The T-SQL text of every statement that the studio generates. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { sqlserverDialect as dialect } from '../../../src/databases/sqlserver/dialect/dialect.ts';
import { sqlserverWriting as writing } from '../../../src/databases/sqlserver/dialect/write.ts';
import { param, raw, sql } from '../../../src/model/fragment.ts';
import { filterConditions, searchCondition } from '../../../src/sql/conditions.ts';
import { rangesAfter } from '../../../src/sql/keyset.ts';
import { render } from '../../../src/sql/render.ts';
import { countRows, selectRows } from '../../../src/sql/select.ts';
import { nativeColumn } from './native-column.ts';
import type { LikePattern } from '../../../src/model/database.ts';
import type { Fragment } from '../../../src/model/fragment.ts';
import type { Column, Table } from '../../../src/model/schema.ts';

const id = nativeColumn('id', 'bigint', { autoIncrement: true });
const title = nativeColumn('title', 'nvarchar(100)');
const code = nativeColumn('co]de', 'varchar(20)', { nullable: true });
const price = nativeColumn('price', 'decimal(10,2)', { nullable: true });
const geography = nativeColumn('place', 'geography', { nullable: true });

const books: Table = {
  name: 'shop.bo]oks',
  localName: 'bo]oks',
  namespace: 'shop',
  kind: 'table',
  columns: [id, title, code, price, geography],
  primaryKey: { columns: ['id'] },
  indexes: [],
  foreignKeys: [],
  checks: [],
};

function textOf(fragment: Fragment): string {
  return render(dialect, fragment).text;
}

function namesOf(columns: readonly Column[]): readonly string[] {
  return columns.map((column) => dialect.quoteName(column.name));
}

function expressionsOf(columns: readonly Column[]): readonly string[] {
  return columns.map((column) => dialect.selectExpression(dialect.quoteName(column.name), column));
}

describe('a list', () => {
  const select = { table: books, expressions: ['[id]'], where: [], limit: 51, offset: 100 };

  test('returns a page in the requested order', () => {
    const order = [
      { column: { ...code, nullable: false }, descending: true },
      { column: id, descending: true },
    ];
    expect(textOf(selectRows(dialect, { ...select, order }))).toBe(
      'SELECT [id] FROM [shop].[bo]]oks] ORDER BY [co]]de] DESC, [id] DESC OFFSET 100 ROWS FETCH NEXT 51 ROWS ONLY',
    );
  });

  test('without an order has a constant one, which T-SQL requires', () => {
    expect(textOf(selectRows(dialect, { ...select, order: [], limit: 2, offset: 0 }))).toBe(
      'SELECT [id] FROM [shop].[bo]]oks] ORDER BY (SELECT NULL) OFFSET 0 ROWS FETCH NEXT 2 ROWS ONLY',
    );
  });

  test('sorts NULLs last, which is not the default in ascending order', () => {
    const terms = [true, false].map((descending) =>
      dialect.orderTerm('[a]', { descending, nullable: true }),
    );
    expect(terms).toEqual(['[a] DESC', 'CASE WHEN [a] IS NULL THEN 1 ELSE 0 END, [a]']);
    expect(dialect.orderTerm('[a]', { descending: false, nullable: false })).toBe('[a]');
  });

  test('sorts by text if the type has no order', () => {
    const order = [{ column: nativeColumn('x', 'xml'), descending: false }];
    expect(textOf(selectRows(dialect, { ...select, order }))).toContain(
      'ORDER BY CONVERT(nvarchar(max), [x]) OFFSET',
    );
  });

  test('can be counted', () => {
    expect(textOf(countRows(dialect, books, [raw('[id] > 1')]))).toBe(
      'SELECT COUNT(*) FROM [shop].[bo]]oks] WHERE [id] > 1',
    );
  });

  test('continues after a row by comparing key columns', () => {
    const order = [price, id].map((column) => ({ column, descending: false }));
    const ranges = rangesAfter(dialect, order, ['10.50', 7n]);
    expect(ranges.map((range) => range.map(textOf).join(' AND '))).toEqual([
      '[price] = @p1/*decimal(10,2)*/ AND [id] > @p1/*bigint*/',
      '[price] > @p1/*decimal(10,2)*/',
      '[price] IS NULL',
    ]);
  });

  test('of tables in the default schema does not name the schema', () => {
    expect(dialect.tableName({ localName: 'a' })).toBe('[a]');
  });
});

describe('a filter', () => {
  const filtered = (name: string, value: string): string =>
    filterConditions(dialect, books, [{ name, value }]).map(textOf).join(' AND ');

  test.each([
    ['id', '7', '[id] = @p1/*bigint*/'],
    ['co]de', 'x', '[co]]de] = @p1/*varchar*/'],
    ['title__ne', 'x', '[title] <> @p1'],
    ['price__gte', '1.5', '[price] >= @p1/*decimal(10,2)*/'],
    ['id__in', '[1,2]', '[id] IN (@p1/*bigint*/, @p2/*bigint*/)'],
    ['price__null', 'true', '[price] IS NULL'],
    ['title', 'a%', '[title] LIKE @p1'],
    ['price', '1%', 'CONVERT(nvarchar(4000), [price]) LIKE @p1'],
    ['place', 'POINT (1 2)', '[place].ToString() = @p1'],
    [
      'title__contains',
      'x',
      'LOWER(CAST([title] AS nvarchar(max)) COLLATE Latin1_General_100_BIN2) LIKE LOWER(@p1 COLLATE Latin1_General_100_BIN2)',
    ],
  ])('%s=%s', (name, value, text) => {
    expect(filtered(name, value)).toBe(text);
  });

  test('search covers text columns', () => {
    const found = textOf(searchCondition(dialect, books, 'x'));
    expect(found.match(/CAST\(\S+ AS/g)).toEqual(['CAST([title] AS', 'CAST([co]]de] AS']);
  });
});

describe('LIKE', () => {
  const patternOf = (pattern: LikePattern): unknown =>
    dialect.like('x', pattern, false).params[0]?.value;

  test('escapes with brackets only', () => {
    expect(patternOf(['any', { literal: '100%_[a]^-\\' }, 'one'])).toBe('%100[%][_][[]a]^-\\_');
  });

  test('matches any literal text exactly', () => {
    fc.assert(
      fc.property(fc.string(), (literal) => {
        const pattern = String(patternOf([{ literal }]));
        expect(pattern.replaceAll(/\[([[%_])\]/g, '$1')).toBe(literal);
        expect(pattern.replaceAll(/\[[[%_]\]/g, '')).not.toMatch(/[[%_]/);
      }),
    );
  });
});

describe('comparing as text', () => {
  test.each([
    ['nvarchar(20)', '[c]'],
    ['char(5)', 'RTRIM([c])'],
    ['ntext', 'CONVERT(nvarchar(max), [c])'],
    ['int', 'CONVERT(nvarchar(4000), [c])'],
    ['money', 'CONVERT(nvarchar(4000), [c], 2)'],
    ['datetime2(7)', 'CONVERT(nvarchar(4000), [c], 126)'],
    ['datetime', 'CONVERT(nvarchar(4000), [c], 126)'],
    ['varbinary(10)', 'CONVERT(nvarchar(max), [c], 1)'],
    ['image', 'CONVERT(nvarchar(max), CAST([c] AS varbinary(max)), 1)'],
    ['timestamp', 'CONVERT(nvarchar(max), [c], 1)'],
    ['hierarchyid', '[c].ToString()'],
    ['sql_variant', 'CONVERT(nvarchar(4000), [c])'],
  ])('%s is %s', (type, text) => {
    expect(dialect.asText('[c]', nativeColumn('c', type))).toBe(text);
  });

  test.each(['text', 'ntext', 'image', 'xml', 'geography', 'geometry'])(
    '%s has no operator =',
    (type) => {
      expect(dialect.isComparable(nativeColumn('c', type).type)).toBe(false);
    },
  );

  test.each(['varchar(max)', 'hierarchyid', 'uniqueidentifier', 'timestamp', 'sql_variant', 'bit'])(
    '%s has an order',
    (type) => {
      expect(dialect.isComparable(nativeColumn('c', type).type)).toBe(true);
    },
  );
});

describe('what is selected', () => {
  test('of spatial and hierarchyid columns is their text', () => {
    expect(expressionsOf([geography, id])).toEqual(['[place].ToString()', '[id]']);
  });

  test('is shortened if it can be long', () => {
    const cut = (type: string) => dialect.preview('[c]', nativeColumn('c', type), 1000);
    expect(cut('nvarchar(max)')).toEqual({
      bytes: 'DATALENGTH([c])',
      head: 'SUBSTRING([c], 1, 1000)',
    });
    expect(cut('varbinary(max)')).toMatchObject({ head: 'SUBSTRING([c], 1, 1000)' });
    expect(cut('xml')).toMatchObject({ head: 'SUBSTRING(CONVERT(nvarchar(max), [c]), 1, 1000)' });
    expect(cut('geography')).toMatchObject({ bytes: 'DATALENGTH([c].ToString())' });
    expect(cut('nvarchar(2000)')).toBeUndefined();
    expect(cut('int')).toBeUndefined();
  });
});

describe('a new row', () => {
  const insert = {
    table: '[t]',
    columns: namesOf([title]),
    values: [param('x', title.type)],
    returning: expressionsOf([id]),
    assignedColumns: [title],
    returningColumns: [id],
  };

  test('returns its key through a table variable, which works with triggers', () => {
    expect(textOf(writing.insertRow(insert))).toBe(
      'DECLARE @written TABLE ([id] bigint); INSERT INTO [t] ([title]) OUTPUT INSERTED.[id] INTO @written VALUES (@p1); SELECT [id] FROM @written',
    );
  });

  test('without values is a row of defaults', () => {
    const empty = { ...insert, columns: [], values: [], assignedColumns: [] };
    expect(textOf(writing.insertRow(empty))).toContain(
      'INSERT INTO [t] OUTPUT INSERTED.[id] INTO @written DEFAULT VALUES;',
    );
  });

  test('can have an explicit identity value', () => {
    const numbered = {
      ...insert,
      columns: namesOf([id]),
      values: [param(5n, id.type)],
      assignedColumns: [id],
    };
    expect(textOf(writing.insertRow(numbered))).toMatch(
      /^SET IDENTITY_INSERT \[t\] ON; DECLARE .* VALUES \(@p1\/\*bigint\*\/\); SELECT .*; SET IDENTITY_INSERT \[t\] OFF$/,
    );
  });

  test('returns values in types that hold all of them', () => {
    const returningColumns = [
      nativeColumn('a', 'varchar(20)'),
      nativeColumn('b', 'varchar(8000)'),
      nativeColumn('c', 'timestamp'),
      nativeColumn('d', 'decimal(38,10)'),
      nativeColumn('e', 'hierarchyid'),
    ];
    const keeping = { ...insert, returningColumns, returning: expressionsOf(returningColumns) };
    const text = textOf(writing.insertRow(keeping));
    expect(text).toContain(
      'TABLE ([a] nvarchar(20), [b] nvarchar(max), [c] binary(8), [d] decimal(38,10), [e] hierarchyid)',
    );
    expect(text).toContain('SELECT [a], [b], [c], [d], [e].ToString() FROM @written');
  });
});

describe('a change', () => {
  test('returns its key in the same way', () => {
    const update = {
      table: '[t]',
      assignments: [sql`[title] = ${param('x', title.type)}`],
      where: sql`[id] = ${param(7n, id.type)}`,
      returning: expressionsOf([id]),
      returningColumns: [id],
    };
    expect(textOf(writing.updateRow(update))).toBe(
      'DECLARE @written TABLE ([id] bigint); UPDATE [t] SET [title] = @p1 OUTPUT INSERTED.[id] INTO @written WHERE [id] = @p2/*bigint*/; SELECT [id] FROM @written',
    );
  });

  test('locks its row first', () => {
    const select = {
      table: books,
      expressions: ['[id]'],
      where: [raw('[id] = 1')],
      order: [],
      lock: writing.rowLock,
    };
    expect(textOf(selectRows(dialect, select))).toBe(
      'SELECT [id] FROM [shop].[bo]]oks] WITH (UPDLOCK, ROWLOCK) WHERE [id] = 1',
    );
  });
});

describe('the timestamp of a soft deletion', () => {
  test.each([
    ['datetime2(7)', 'SYSUTCDATETIME()'],
    ['datetimeoffset(7)', 'SYSDATETIMEOFFSET()'],
    ['date', 'CAST(SYSUTCDATETIME() AS date)'],
  ])('of a %s is %s', (type, text) => {
    expect(textOf(writing.currentTime(nativeColumn('c', type)))).toBe(text);
  });
});
