import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { StudioError } from '../../src/model/errors.ts';
import { membersByName, parseExactJson } from '../../src/model/values/exact-json.ts';
import type { JsonNode, JsonObject } from '../../src/model/values/exact-json.ts';

/** The value that JSON.parse would return. */
function plain(node: JsonNode): unknown {
  if (node.kind === 'null') return null;
  if (node.kind === 'number') return Number(node.digits);
  if (node.kind === 'array') return node.items.map(plain);
  if (node.kind !== 'object') return node.value;
  return Object.fromEntries(node.members.map(({ name, value }) => [name, plain(value)]));
}

function errorOf(read: () => unknown): unknown {
  try {
    return read();
  } catch (error) {
    return error;
  }
}

test('parses what JSON.parse parses', () => {
  fc.assert(
    fc.property(
      fc.json({ maxDepth: 6, stringUnit: 'binary' }),
      fc.constantFrom(undefined, 1, '\t', ' \r\n'),
      (json, indent) => {
        const text = JSON.stringify(JSON.parse(json), null, indent);
        expect(plain(parseExactJson(text))).toEqual(JSON.parse(text));
      },
    ),
  );
});

test('rejects what JSON.parse rejects', () => {
  const chunks = [
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
    '"a"',
    '"',
    '\\',
    '\\u12',
    '01',
    '-',
    '1.',
    '1e5',
    'true',
    'nul',
    ' ',
    '\n',
    '\u0001',
    '\u00a0',
  ];
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...chunks), maxLength: 7 }), (text) => {
      const parsed = errorOf(() => JSON.parse(text) as unknown);
      const ours = errorOf(() => parseExactJson(text));
      expect(ours instanceof StudioError).toBe(parsed instanceof SyntaxError);
    }),
    { numRuns: 2000 },
  );
});

test('every value has its position', () => {
  const text = ' { "a" : [ 1.50 , "x\\n" ], "b":null} ';
  const { members } = parseExactJson(text) as JsonObject;
  const [list, nothing] = members.map(({ value }) => value) as [JsonNode, JsonNode];
  const items = list.kind === 'array' ? list.items : [];
  expect([list, ...items, nothing].map(({ start, end }) => text.slice(start, end))).toEqual([
    '[ 1.50 , "x\\n" ]',
    '1.50',
    '"x\\n"',
    'null',
  ]);
});

test('numbers keep their digits', () => {
  fc.assert(
    fc.property(
      fc.stringMatching(/^-?(0|[1-9][0-9]{0,30})(\.[0-9]{1,30})?([eE][+-]?[0-9]{1,3})?$/),
      (digits) => {
        expect(parseExactJson(digits)).toEqual({
          kind: 'number',
          digits,
          start: 0,
          end: digits.length,
        });
      },
    ),
  );
});

describe('errors', () => {
  test.each([
    ['{"a":1,}', 1, 8],
    ['[1,\n  x]', 2, 3],
    ['[1,\r\n"é😀" 2]', 2, 6],
    ['"abc', 1, 1],
    ['[01]', 1, 3],
    ['{a:1}', 1, 2],
    ['1 2', 1, 3],
    ['{"a"', 1, 5],
    ['', 1, 1],
  ])('%j fails at line %i, column %i', (text, line, column) => {
    expect(errorOf(() => parseExactJson(text))).toMatchObject({
      code: 'invalid_body',
      details: { line, column },
    });
  });

  test('nesting is limited', () => {
    const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
    expect(parseExactJson(nested(1000)).kind).toBe('array');
    expect(errorOf(() => parseExactJson(nested(1001)))).toMatchObject({
      code: 'invalid_body',
      details: { column: 1001 },
    });
    expect(errorOf(() => parseExactJson('{"a":'.repeat(500_000)))).toBeInstanceOf(StudioError);
  });

  test('files fail with an error code of their own', () => {
    expect(errorOf(() => parseExactJson('x', 'parse_failed'))).toMatchObject({
      code: 'parse_failed',
    });
  });
});

test('members are kept as written: repeated names and __proto__ too', () => {
  const { members } = parseExactJson('{"__proto__":{"a":1},"a":1,"\\u0061":2}') as JsonObject;
  expect(members.map(({ name }) => name)).toEqual(['__proto__', 'a', 'a']);
});

test('members by name: __proto__ is an ordinary name, and repeated names are an error', () => {
  const object = parseExactJson('{"__proto__":{"a":1},"b":2}') as JsonObject;
  expect([...membersByName(object).keys()]).toEqual(['__proto__', 'b']);
  const twice = parseExactJson('{"a":1,"\\u0061":2}') as JsonObject;
  expect(errorOf(() => membersByName(twice))).toMatchObject({ code: 'invalid_body' });
});
