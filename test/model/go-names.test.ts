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

/** What GORM 1.31.2 itself answers, key by key. */
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
  test('tables are those of GORM', () => {
    const structs = golden('tables');
    expect(structs.map(([struct]) => [struct, tableName(struct)])).toEqual(structs);
  });

  test('columns are those of GORM', () => {
    const fields = golden('columns');
    expect(fields.map(([field]) => [field, columnName(field)])).toEqual(fields);
  });

  test('a capital behind a non-ASCII letter is none to GORM', () => {
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
  ])('a reference through %j is called %j', (column, name) => {
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
  ])('table %s has the struct %s, many of it are %s', (table, struct, many) => {
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

  test('a field that follows the usual casing comes back from its column', () => {
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
  test('the first keeps its name, the next are numbered past every name that is wanted', () => {
    expect(uniqueNames(['A', 'a', 'A2', 'A', 'B'])).toEqual(['A', 'a3', 'A2', 'A4', 'B']);
    expect(uniqueNames(['A', 'B'], ['a'])).toEqual(['A2', 'B']);
  });

  test('they differ whatever their case, from each other and from those taken', () => {
    const names = fc.array(fc.constantFrom('A', 'a', 'A2', 'a3', 'B', 'A22'), { maxLength: 12 });
    fc.assert(
      fc.property(names, names, (wanted, taken) => {
        const given = uniqueNames(wanted, taken).map((name) => name.toLowerCase());
        expect(new Set(given).size).toBe(wanted.length);
        expect(given.filter((name) => taken.some((one) => one.toLowerCase() === name))).toEqual([]);
      }),
    );
  });

  test('no field takes the name of the method TableName', () => {
    expect([...goFieldNames(['table_name', 'id']).values()]).toEqual(['TableName2', 'ID']);
  });

  test('structs of tables with one name in different namespaces differ', () => {
    const structs = goStructNames(['logs', 'audit.logs', 'audit_logs']);
    expect([...structs.values()]).toEqual(['Log', 'AuditLog', 'AuditLog2']);
  });
});
