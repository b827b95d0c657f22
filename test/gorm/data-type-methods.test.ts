import { expect, describe, test } from 'vitest';

import { columnLine, planTable } from '../../src/gorm/migration/table-ddl.ts';
import { planMigration } from '../../src/gorm/migration/plan-migration.ts';
import { readGoModels } from '../../src/gorm/models/read-go-models.ts';
import { sqliteGoFields } from '../../src/gorm/dialects/sqlite/go-fields.ts';
import { sqliteGormDialect } from '../../src/gorm/dialects/sqlite/gorm-dialect.ts';
import type { Migration } from '../../src/gorm/migration/plan-migration.ts';

const head =
  'package m\n\nimport (\n\t"fmt"\n\t"strings"\n\n\t"gorm.io/gorm"\n\t"gorm.io/gorm/schema"\n)\n\n';

function migrationOf(body: string, tag: string): Migration {
  const text = `${head}type Code string\n\nfunc (Code) GormDBDataType(db *gorm.DB, f *schema.Field) string {\n${body}\n}\n\ntype Item struct {\n\tID uint\n\tCode Code ${tag}\n}\n`;
  const found = readGoModels([{ name: 'm.go', text }]);
  return planMigration(found, { tables: [], views: [] } as never, {
    dialect: sqliteGormDialect,
    goFields: sqliteGoFields,
    storedStatements: new Map(),
    readType: () => ({ kind: 'text' }) as never,
  });
}

function columnOf({ statements }: Migration): string | undefined {
  return /`code` (.*)\)$/.exec(statements[0]?.text ?? '')?.[1];
}

describe('GormDBDataType is evaluated', () => {
  test.each([
    ['the size', 'if f.Size > 0 { return fmt.Sprintf("v(%d)", f.Size+1) }; return "text"', 'v(13)'],
    ['a map', 'm := map[string]string{"sqlite": "s"}; return m[db.Name()]', 's'],
    [
      'a missing key',
      'm := map[string]int{"x": 1}; if _, ok := m["y"]; ok { return "x" }; return "y"',
      'y',
    ],
    ['the tag', 'return "v(" + f.TagSettings["SIZE"] + ")"', 'v(12)'],
    ['a text', 'if strings.HasPrefix(f.DBName, "co") { return "yes" }; return "no"', 'yes'],
    ['part of a text', 'return "abcdef"[1:4] + f.Name[:2]', 'bcdCo'],
    ['the kind', 'if f.DataType == schema.String { return "s" }; return "o"', 's'],
    ['nothing, so the driver decides', 'return ""', 'text'],
    ["the driver's choice", 'return db.Dialector.DataTypeOf(f)', 'text'],
  ])('by %s', (_title, body, expected) => {
    const migration = migrationOf(body, '`gorm:"size:12"`');
    expect(columnOf(migration)).toBe(expected);
    expect(migration.warnings).toEqual([]);
  });

  test.each([
    ['a list', 'l := []string{"a", "b"}; l = append(l, "c"); return strings.Join(l[1:], "")', 'bc'],
    [
      'a case with fallthrough',
      'switch { case f.Size == 12: fallthrough; case false: return "f" }; return "x"',
      'f',
    ],
    ['a case that ends early', 'switch f.Size { case 12: break; return "a" }; return "b"', 'b'],
    ['several assignments', 'n := f.Size; n++; n *= 2; return fmt.Sprintf("v(%03d)", n)', 'v(026)'],
    [
      'functions that count bytes',
      'return fmt.Sprintf("v(%d)", strings.Index("äb", "b")+strings.Count("äb", ""))',
      'v(5)',
    ],
    [
      'values side by side',
      'return fmt.Sprint("v", 1, 2, "x", f.Size, true, 1.5e6)',
      'v1 2x12 true 1.5e+06',
    ],
    ['a variable whose address is passed', 't := "a"; fill(&t); return t', 'a'],
  ])('by %s, with a warning', (_title, body, expected) => {
    const migration = migrationOf(body, '`gorm:"size:12"`');
    expect(columnOf(migration)).toBe(expected);
    expect(migration.warnings).toHaveLength(1);
  });

  test.each([
    ['an unknown function', 'return choose(f)'],
    ['an unknown condition', 'if ready() { return "a" }; return "b"'],
    ['an unknown condition of an assignment', 't := "a"; if ready() { t = "b" }; return t'],
    ['an assignment in a loop', 't := "a"; for i := 0; i < f.Size; i++ { t += "a" }; return t'],
    ['a loop with a return', 'for range f.Size { return "a" }; return "b"'],
    ['an unknown case', 't := "a"; switch ready() { case 1: t = "b" }; return t'],
    ['a changed map', 'm := map[string]string{"a": "b"}; m["a"] = "c"; return m["a"]'],
    ['an unknown format verb', 'return fmt.Sprintf("%08b", f.Size)'],
    [
      'a case that may end early',
      'switch { case true: if ready() { break }; return "a" }; return "b"',
    ],
    ['a jump', 'goto end\nend:\n\treturn "a"'],
  ])('%s is a warning with method and line, not a silent guess', (_title, body) => {
    const migration = migrationOf(body, '');
    expect(columnOf(migration)).toBe('text');
    expect(migration.warnings).toEqual([
      'Item: The result of Code.GormDBDataType (m.go:13) cannot be determined from the source; column "code" of table "items" got the type text.',
    ]);
  });
});

describe('types of columns', () => {
  function columns(text: string): readonly string[] {
    const [model] = readGoModels([{ name: 'm.go', text: `package m\n${text}` }]).models;
    const plan = planTable(model!, sqliteGormDialect);
    return plan.columns.map((field) => columnLine(field, sqliteGormDialect));
  }

  test('an unknown GormDataType is a warning', () => {
    const found = readGoModels([
      {
        name: 'm.go',
        text: 'package m\ntype T int\nfunc (T) GormDataType() string { return kind() }\ntype A struct { ID uint; T T }\n',
      },
    ]);
    expect(found.warnings).toEqual([
      {
        struct: 'A',
        message:
          'The result of T.GormDataType (m.go:3) for T cannot be determined from the source; "string" was assumed.',
      },
    ]);
  });

  test('file modes, and types of dot imports', () => {
    expect(
      columns(
        'import (\n\t"os"\n\t. "time"\n\t. "math/big"\n)\ntype A struct { ID uint; M os.FileMode; T Time; D Duration }',
      ).slice(1),
    ).toEqual(['`m` integer', '`t` datetime', '`d` integer']);
  });

  test('an unknown generic type is like its argument', () => {
    const text =
      'import (\n\t"time"\n\t"example.com/optional"\n)\ntype A struct { ID uint; T optional.Of[time.Time]; N *optional.Of[int64]; P optional.Of[*string] }';
    expect(columns(text).slice(1)).toEqual(['`t` datetime', '`n` integer', '`p` text']);
    const { warnings } = readGoModels([{ name: 'm.go', text: `package m\n${text}` }]);
    expect(warnings[0]?.message).toBe(
      'T is of type optional.Of, which is declared in a package that was not uploaded; it was assumed to be like time.Time.',
    );
  });
});
