import { expect, test } from 'vitest';
import { filesLoadedBy } from '../../scripts/check/bundle.ts';

test('the static imports of a script are bundled with it; dynamic imports are not', () => {
  const files = new Map([
    [
      'a/main.js',
      'import{x as y}from"./one.js";import"../two.js";const z=()=>import("./later.js")',
    ],
    ['a/one.js', 'export{b}from"./three.js";console.log("import x from \'./no.js\'")'],
    ['two.js', 'import"./a/main.js"'],
    ['a/three.js', ''],
  ]);
  const loaded = filesLoadedBy('a/main.js', (path) => files.get(path) ?? '');
  expect([...loaded].toSorted()).toEqual(['a/main.js', 'a/one.js', 'a/three.js', 'two.js']);
});
