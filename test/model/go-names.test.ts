import { readFileSync } from 'node:fs';

import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import {
  columnName,
  goFieldName,
  goFieldNames,
  goPluralName,
  goReferenceName,
  goStructName,
  goStructNames,
  tableName,
  uniqueNames,
} from '../../src/model/go-names.ts';

/** The recorded names of GORM 1.31.2, by key. */
function golden(name: string): [word: string, expected: string][] {
  const file = new URL(`../fixtures/gorm-names/${name}.json`, import.meta.url);
  return Object.entries(JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>);
}

const goIdentifier = /^\p{Lu}[\p{L}\p{Nd}]*$/u;
const anyName = fc.oneof(
  fc.string(),
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: fc.constantFrom('a', 'B', 'id', 'url', 's', '_', '.', ' ', '7', 'é', '名') }),
);

describe('GORM names', () => {
  test('tables have the names of GORM', () => {
    const structs = golden('tables');
    expect(structs.map(([struct]) => [struct, tableName(struct)])).toEqual(structs);
  });

  test('columns have the names of GORM', () => {
    const fields = golden('columns');
    expect(fields.map(([field]) => [field, columnName(field)])).toEqual(fields);
  });

  test('a capital after a non-ASCII letter does not start a word in GORM', () => {
    expect(columnName('NaïveÄBc')).toBe('naïveÄBc');
  });
});

describe('Go names', () => {
  test.each([
    ['author_id', 'AuthorID'],
    ['api_url', 'APIURL'],
    ['html', 'HTML'],
    ['created_at', 'CreatedAt'],
    ['user_ids', 'UserIDs'],
    ['https_url', 'HTTPSURL'],
    ['sha256', 'Sha256'],
    ['line_2', 'Line2'],
    ['firstName', 'FirstName'],
    ['CustomerId', 'CustomerID'],
    ['HTMLBody', 'HTMLBody'],
    ['ISBNCode', 'ISBNCode'],
    ['URLs', 'URLs'],
    ['USER_NAME', 'UserName'],
    ['first-name (legal)', 'FirstNameLegal'],
    ['type', 'Type'],
    ['2fa', 'X2fa'],
    ['имя', 'Имя'],
    ['名前', 'X名前'],
    ['größe', 'Größe'],
    ['नाम', 'Xनम'],
    ['ƛ_size', 'Size'],
    ['𝔘_name', 'Name'],
    ['$$', 'X'],
    ['', 'X'],
  ])('the field of column %j is %s', (column, field) => {
    expect(goFieldName(column)).toBe(field);
  });

  test.each([
    ['author_id', 'Author'],
    ['AuthorId', 'Author'],
    ['AUTHOR_ID', 'Author'],
    ['manager', 'Manager'],
    ['paid', 'Paid'],
    ['id', ''],
    ['_', 'X'],
  ])('a reference by %j is called %j', (column, name) => {
    expect(goReferenceName(column)).toBe(name);
  });

  test.each([
    ['blog_posts', 'BlogPost', 'BlogPosts'],
    ['blog_post', 'BlogPost', 'BlogPosts'],
    ['OrderItems', 'OrderItem', 'OrderItems'],
    ['CATEGORIES', 'Category', 'Categories'],
    ['people', 'Person', 'People'],
    ['audit.logs', 'AuditLog', 'AuditLogs'],
    ['heroes', 'Hero', 'Heroes'],
    ['drives', 'Drive', 'Drives'],
    ['caches', 'Cache', 'Caches'],
    ['knives', 'Knife', 'Knives'],
    ['lenses', 'Lens', 'Lenses'],
    ['status', 'Status', 'Statuses'],
    ['bonus', 'Bonus', 'Bonus'],
    ['bases', 'Base', 'Bases'],
    ['metadata', 'Metadata', 'Metadata'],
    ['sheep', 'Sheep', 'Sheep'],
    ['user_dns', 'UserDNS', 'UserDNS'],
  ])('table %s has the struct %s, and several are called %s', (table, struct, many) => {
    expect([goStructName(table), goPluralName(table)]).toEqual([struct, many]);
  });

  test('every name becomes a valid, exported identifier', () => {
    fc.assert(
      fc.property(anyName, (name) => {
        for (const form of [goFieldName, goStructName, goPluralName]) {
          expect(form(name)).toMatch(goIdentifier);
        }
      }),
    );
  });

  test('a field in conventional case is restored from its column', () => {
    const fields = [
      'ID',
      'AuthorID',
      'APIURL',
      'CreatedAt',
      'UserUUID',
      'HTMLBody',
      'IDs',
      'UTF8Name',
    ];
    expect(fields.map((field) => goFieldName(columnName(field)))).toEqual(fields);
  });
});

describe('unique names', () => {
  test('the first one keeps its name, and later ones get numbers that no other name uses', () => {
    expect(uniqueNames(['A', 'a', 'A2', 'A', 'B'])).toEqual(['A', 'a3', 'A2', 'A4', 'B']);
    expect(uniqueNames(['A', 'B'], ['a'])).toEqual(['A2', 'B']);
  });

  test('they differ regardless of case, from each other and from reserved names', () => {
    const names = fc.array(fc.constantFrom('A', 'a', 'A2', 'a3', 'B', 'A22'), { maxLength: 12 });
    fc.assert(
      fc.property(names, names, (names, takenNames) => {
        const unique = uniqueNames(names, takenNames).map((name) => name.toLowerCase());
        expect(new Set(unique).size).toBe(names.length);
        expect(
          unique.filter((name) => takenNames.some((one) => one.toLowerCase() === name)),
        ).toEqual([]);
      }),
    );
  });

  test('no field is called like the method TableName', () => {
    expect([...goFieldNames(['table_name', 'id']).values()]).toEqual(['TableName2', 'ID']);
  });

  test('structs of tables with the same name in different schemas differ', () => {
    const structs = goStructNames(['logs', 'audit.logs', 'audit_logs']);
    expect([...structs.values()]).toEqual(['Log', 'AuditLog', 'AuditLog2']);
  });
});
