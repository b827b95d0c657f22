/** `node bench/go-models.ts`: measures how long it takes to read a Go package of 2 MB and to render its models as DDL for every database. */
import { loadGormDriver } from '../src/gorm/dialects/index.ts';
import { readGoModels, modelsInMigrationOrder } from '../src/gorm/models/read-go-models.ts';
import { createTable, planTable } from '../src/gorm/migration/table-ddl.ts';
import type { SourceFile } from '../src/gorm/go/syntax/syntax.ts';

const structsPerFile = 40;
const minimumBytes = 2_000_000;

function modelFile(n: number): SourceFile {
  const structs = Array.from({ length: structsPerFile }, (_, i) =>
    modelStruct(n * structsPerFile + i),
  );
  const text = `package models\n\nimport (\n\t"time"\n\n\t"gorm.io/gorm"\n)\n\n${structs.join('\n')}`;
  return { name: `models_${String(n).padStart(4, '0')}.go`, text };
}

/** A typical model: an embedded base, some columns, an association and two methods. */
function modelStruct(i: number): string {
  const name = `Model${i}`;
  const parent = `Model${Math.max(0, i - 1)}`;
  return `// ${name} is one of many.
type ${name} struct {
	gorm.Model
	Name      string     \`gorm:"size:120;not null;index" json:"name"\`
	Code      string     \`gorm:"size:20;uniqueIndex:udx_${i},priority:1" json:"code"\`
	Kind      int16      \`gorm:"uniqueIndex:udx_${i},priority:2;default:1" json:"kind"\`
	Price     float64    \`gorm:"type:decimal(12,2);check:price_${i},price >= 0" json:"price"\`
	SeenAt    *time.Time \`json:"seen_at"\`
	ParentID  *uint
	Parent    *${parent} \`gorm:"belongsTo;foreignKey:ParentID;constraint:OnDelete:SET NULL"\`
}

// TableName says where it is kept.
func (${name}) TableName() string { return "app_" + "model_${i}" }

// Describe is for people.
func (m *${name}) Describe() string {
	if m.Name == "" {
		return "nothing"
	}
	for i := range m.Code {
		_ = i
	}
	return m.Name + m.Code
}
`;
}

function modelPackage(): SourceFile[] {
  const files: SourceFile[] = [];
  for (let bytes = 0; bytes < minimumBytes; bytes += files.at(-1)!.text.length)
    files.push(modelFile(files.length));
  return files;
}

const drivers = await Promise.all(
  ['sqlite', 'postgres', 'mysql', 'sqlserver'].map((name) => loadGormDriver(name)),
);
const files = modelPackage();
const bytes = files.reduce((sum, { text }) => sum + text.length, 0);
console.log(`${files.length} files, ${(bytes / 1e6).toFixed(1)} MB`);
for (let run = 1; run <= 3; run++) {
  const start = performance.now();
  const found = readGoModels(files);
  const read = performance.now();
  const statements = drivers.flatMap(({ gorm }) =>
    modelsInMigrationOrder(found, gorm).flatMap((model) =>
      createTable(planTable(model, gorm), gorm, []),
    ),
  );
  const rendered = performance.now();
  console.log(
    `run ${run}: read ${found.models.length} models in ${(read - start).toFixed(0)} ms, ` +
      `${statements.length} statements for ${drivers.length} databases in ${(rendered - read).toFixed(0)} ms`,
  );
}
