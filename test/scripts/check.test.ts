import { describe, expect, test } from 'vitest';

import { databaseNameFaults } from '../../scripts/check/database-names.ts';
import { importCycles, importFaults, importsOf, stageFaults } from '../../scripts/check/imports.ts';
import { parseSource } from '../../scripts/check/sources.ts';
import { wordsOutsideTexts } from '../../scripts/check/texts.ts';
import { retiredWordsOf } from '../../scripts/check/words.ts';

function faultsOf(path: string, text: string): string[] {
  return importFaults(importsOf(parseSource(path, text)));
}

describe('the direction of imports', () => {
  test.each([
    ['src/sql/select.ts', `import { a } from '../model/schema.ts';`],
    ['src/studio/rows/read/a.ts', `import { a } from '../../core/b.ts';`],
    ['src/studio/rows/write/a.ts', `import { a } from '../read/b.ts';`],
    ['src/databases/mysql/database.ts', `import { a } from './load/b.ts';`],
    ['src/databases/mysql/load/a.ts', `import { b } from '../../places.ts';`],
    ['src/gorm/models/a.ts', `import type { B } from '../gorm-dialect.ts';`],
    ['src/studio/studio.ts', `import { a } from './execution/b.ts';`],
    ['src/cli/main.ts', `import { serve } from '../http/node.ts';`],
    ['src/databases/index.ts', `export { sqlite } from './sqlite/dialect.ts';`],
    ['src/databases/sqlite/dialect.ts', `import { quote } from './quoting.ts';`],
    ['src/formats/sql/csv.ts', `import { Format } from '../catalog.ts';`],
    ['src/databases/postgres/driver/send-statement.ts', `import pg from 'pg';`],
    ['src/databases/mysql/driver/driver.ts', `import mysql from 'mysql2/promise';`],
    ['src/http/app.ts', `import { cors } from 'hono/cors';`],
    [
      'ui/src/diagram.tsx',
      `import { roundedPath } from '../../src/portable/drawing/route-shapes.ts';`,
    ],
  ])('%s may import %s', (path, text) => {
    expect(faultsOf(path, text)).toEqual([]);
  });

  test.each([
    ['src/model/schema.ts', `import { a } from '../sql/select.ts';`, 'model may not import'],
    ['src/sql/select.ts', `import type { A } from '../studio/a.ts';`, 'sql may not import'],
    ['src/sql/select.ts', `export * from '../http/app.ts';`, 'sql may not import'],
    ['src/studio/a.ts', `await import('../cli/main.ts');`, 'studio may not import'],
    ['src/studio/a.ts', `import '../../test/setup.ts';`, 'studio may not import'],
    ['src/databases/mysql/a.ts', `import '../sqlite/a.ts';`, 'another database or format'],
    ['src/formats/index.ts', `import '../databases/index.ts';`, 'formats may not import'],
    ['src/stuff/a.ts', `import '../model/a.ts';`, 'stuff is no layer'],
    [
      'src/databases/mysql/dialect.ts',
      `import mysql from 'mysql2';`,
      'only files of a folder driver',
    ],
    ['src/studio/a.ts', `import { Hono } from 'hono';`, 'only http'],
    ['src/studio/a.ts', `import { serve } from '@hono/node-server';`, 'only http'],
    [
      'src/studio/a.ts',
      `import fc from 'fast-check';`,
      'neither among the dependencies nor bundled',
    ],
    ['src/studio/rows/read/a.ts', `import '../../load/b.ts';`, 'files of rows may not import'],
    ['src/studio/rows/read/a.ts', `import '../write/b.ts';`, 'files of read may not import'],
    ['src/studio/rows/a.ts', `import './read/b.ts';`, 'is no folder'],
    ['src/studio/load/a.ts', `import '../sql/b.ts';`, 'files of load may not import'],
    ['src/studio/core/a.ts', `import '../studio.ts';`, 'files of core may not import'],
    ['src/studio/more/a.ts', `import '../core/b.ts';`, 'more is no folder'],
    ['src/gorm/go/syntax/a.ts', `import '../../models/b.ts';`, 'files of go may not import'],
    ['src/gorm/go/syntax/a.ts', `import '../program/b.ts';`, 'files of syntax may not import'],
    ['src/formats/sql/a.ts', `import '../../gorm/go/b.ts';`, 'formats may not import'],
    ['src/formats/sql/values/a.ts', `import '../script/b.ts';`, 'files of values may not import'],
    ['src/formats/sql/script/a.ts', `import '../read.ts';`, 'files of script may not import'],
    ['src/databases/mysql/ddl/a.ts', `import '../driver/b.ts';`, 'files of ddl may not import'],
    ['src/databases/mysql/load/a.ts', `import '../database.ts';`, 'files of load may not import'],
    ['src/model/a.ts', `import { join } from 'node:path';`, 'runs in browsers'],
    [
      'ui/src/app.tsx',
      `import { list } from '../../src/studio/rows/read/list-rows.ts';`,
      'ui may not import',
    ],
  ])('%s may not import %s', (path, text, fault) => {
    expect(faultsOf(path, text)).toEqual([expect.stringContaining(fault)]);
  });

  test('an error names the file and the line', () => {
    expect(faultsOf('src/sql/a.ts', `\n\nimport '../http/b.ts';`)[0]).toMatch(
      /^src\/sql\/a\.ts:3 /,
    );
  });
});

describe('cycles', () => {
  function cyclesOf(files: Record<string, string>): string[] {
    const sources = Object.entries(files).map(([path, text]) => parseSource(path, text));
    return importCycles(sources.flatMap(importsOf));
  }

  test('files that import each other are found, over any distance', () => {
    const found = cyclesOf({
      'src/sql/a.ts': `import './b.ts';`,
      'src/sql/b.ts': `import type { C } from './c.ts';`,
      'src/sql/c.ts': `export * from './a.ts';`,
    });
    expect(found).toEqual(['cycle: src/sql/a.ts -> src/sql/b.ts -> src/sql/c.ts -> src/sql/a.ts']);
  });

  test('two paths to one file are no cycle', () => {
    const found = cyclesOf({
      'src/sql/a.ts': `import './b.ts'; import './c.ts';`,
      'src/sql/b.ts': `import './c.ts';`,
      'src/sql/c.ts': '',
    });
    expect(found).toEqual([]);
  });
});

describe('the stages of an import', () => {
  function faultsOfStages(files: Record<string, string>): string[] {
    const sources = Object.entries(files).map(([path, text]) =>
      parseSource(`src/studio/${path}`, text),
    );
    return stageFaults(sources.flatMap(importsOf));
  }

  test('know the types of earlier stages', () => {
    expect(
      faultsOfStages({
        'import/import-data.ts': `import { a } from './map-rows.ts'; import '../load/load-rows.ts';`,
        'import/map-rows.ts': `import type { A } from './read-file-rows.ts';`,
        'import/report-import.ts': `import type { A } from './map-rows.ts';`,
      }),
    ).toEqual([]);
  });

  test.each<[string, Record<string, string>]>([
    ['call an earlier one', { 'import/map-rows.ts': `import { a } from './read-file-rows.ts';` }],
    ['know a later one', { 'import/map-rows.ts': `import type { A } from './report-import.ts';` }],
    [
      'reach one through another file',
      {
        'import/report-import.ts': `import { a } from './import-options.ts';`,
        'import/import-options.ts': `export * from './recognize-file.ts';`,
      },
    ],
  ])('may not %s', (_, files) => {
    expect(faultsOfStages(files)).toEqual([expect.stringContaining('may not reach')]);
  });
});

describe('the name of a database outside its folder', () => {
  test.each([
    `if (dialect.name === 'sqlite') run();`,
    `const is = 'mysql' != name;`,
    `switch (name) { case 'postgres': run(); }`,
    `['mysql', 'mariadb'].includes(name);`,
    `url.startsWith('postgres://');`,
    `const quotes = { sqlite: 1, mysql: 2 }[name];`,
    `const quotes = new Map([['sqlite', 1], ['mysql', 2]]);`,
    `const drivers = ['postgres', 'mysql'];`,
  ])('%s is found', (text) => {
    expect(databaseNameFaults(parseSource('src/studio/a.ts', text))).toHaveLength(1);
  });

  test.each([
    `type Name = 'sqlite' | 'mysql';`,
    `if (dialect.foldsCase) run();`,
    `const first = open('sqlite');`,
    `if (name === other) run();`,
  ])('%s is no comparison', (text) => {
    expect(databaseNameFaults(parseSource('src/studio/a.ts', text))).toEqual([]);
  });
});

describe('retired words', () => {
  const findings = (code: string) => retiredWordsOf(parseSource('src/model/a.ts', code));

  test('are found in names, comments and file names', () => {
    expect(findings('const toldColumns = 1;\n// The refusal of a row\n')).toEqual([
      expect.stringContaining('src/model/a.ts:1 toldColumns: "told"'),
      expect.stringContaining('src/model/a.ts:2 comment: "refusal"'),
    ]);
    expect(retiredWordsOf(parseSource('src/model/telling.ts', ''))).toEqual([
      expect.stringContaining('file name: "telling"'),
    ]);
  });

  test('are not found within other words, in names of libraries or in strings', () => {
    expect(findings(`library.told(); const mistolden = 'told';`)).toEqual([]);
  });

  test('that are ordinary English in a sentence are found in names only', () => {
    expect(findings('// It is your turn.\nfunction f(turn: number) {}')).toEqual([
      expect.stringContaining('src/model/a.ts:2 turn: "turn"'),
    ]);
  });
});

describe('words of the pages', () => {
  const findings = (code: string) => wordsOutsideTexts(parseSource('ui/src/login/a.tsx', code));

  test.each([
    ['<p>Log in</p>', 'Log in'],
    ["<p>{'Log in'}</p>", 'Log in'],
    ['<a title="Log in" />', 'Log in'],
    ["<a aria-label={'Log in'} />", 'Log in'],
    ['<a placeholder={`Row ${n}`} />', 'Row'],
    ["<p>{isOpen ? 'open' : texts.closed}</p>", 'open'],
    ["<p>{name ?? 'none'}</p>", 'none'],
    ["const item = { label: isOn ? 'off' : texts.on };", 'off'],
    ["showToast({ title: 'not saved' });", 'not saved'],
    ["throw new Error('This file is empty.');", 'This file is empty.'],
    ['const text = `The table ${name}`;', 'The table'],
    ["const reason = 'it is not a zip archive';", 'it is not a zip archive'],
  ])('%s', (code, words) => {
    expect(findings(code)).toEqual([`ui/src/login/a.tsx:1 "${words}": move it to ui/src/texts`]);
  });

  test.each([
    '<p className="row t2">{texts.logIn}</p>',
    '<a title={texts.row({ n })} />',
    '<p>{a} · {b}…</p>',
    '<Icon name="error" />',
    "<p className={isOn ? 'row Main on t2' : 'row'}>{key === 'Enter' ? a : b}</p>",
    "<p>{format('csv', rows)}</p>",
    "const page = load(() => import('./Main Page.ts'), 'TablePage');",
    "const answer = await call('GET /tables/:table/rows');",
    "type Title = 'First title of a page';",
  ])('%s has none', (code) => {
    expect(findings(code)).toEqual([]);
  });
});
