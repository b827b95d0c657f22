// node exceljs-script.cjs FOLDER export|import FILE TABLE WORKBOOK: what one would write by hand with exceljs.
const { createRequire } = require('node:module');
const { join } = require('node:path');

const [folder, work, file, table, workbook] = process.argv.slice(2);
const requireFrom = createRequire(join(folder, 'index.js'));
const Excel = requireFrom('exceljs');
const Database = requireFrom('better-sqlite3');

async function exportRows() {
  const statement = new Database(file, { readonly: true }).prepare(`SELECT * FROM ${table}`);
  const writer = new Excel.stream.xlsx.WorkbookWriter({ filename: workbook });
  const sheet = writer.addWorksheet(table);
  sheet.addRow(statement.columns().map(({ name }) => name)).commit();
  for (const row of statement.raw().iterate()) sheet.addRow(row).commit();
  sheet.commit();
  await writer.commit();
}

async function importRows() {
  const database = new Database(file);
  let insert;
  database.exec('BEGIN');
  const reader = new Excel.stream.xlsx.WorkbookReader(workbook, {
    worksheets: 'emit',
    sharedStrings: 'cache',
  });
  for await (const sheet of reader) {
    for await (const row of sheet) {
      const cells = row.values.slice(1);
      if (insert === undefined) {
        const marks = cells.map(() => '?').join(', ');
        insert = database.prepare(`INSERT INTO ${table} (${cells.join(', ')}) VALUES (${marks})`);
        continue;
      }
      const padded = Array.from(
        { length: insert.source.split('?').length - 1 },
        (_, i) => cells[i],
      );
      insert.run(
        padded.map((cell) => (cell instanceof Date ? cell.toISOString() : (cell ?? null))),
      );
    }
  }
  database.exec('COMMIT');
}

(work === 'export' ? exportRows() : importRows()).catch((error) => {
  console.error(error);
  process.exitCode = 1;
});
