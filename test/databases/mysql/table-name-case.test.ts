/** Servers that store names of tables in lower case: MySQL on Windows, or the option elsewhere. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import mysql from 'mysql2/promise';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { importModels } from '../../../src/studio/import/schema/import-models.ts';
import type { ImportModelsResponse } from '../../../src/studio/import/schema/import-models.ts';
import { storedTableNames } from '../../../src/studio/import/schema/stored-names.ts';
import { startMariadb } from '../../servers/start-mariadb.ts';
import { importText, introspectUrl, withContext } from '../import-job.ts';
import { importDumpFile, importFile } from '../importing.ts';
import type { MariadbServer } from '../../servers/start-mariadb.ts';

let server: MariadbServer;
let url = '';

beforeAll(async () => {
  server = await startMariadb({ settings: ['--lower-case-table-names=1'] });
  const { user, password, port } = server;
  const connection = await mysql.createConnection({ host: '127.0.0.1', port, user, password });
  await connection.query('CREATE DATABASE shop');
  await connection.end();
  url = `mysql://${user}:${password}@127.0.0.1:${port}/shop`;
});
afterAll(() => server?.remove());

const tableNames = async (): Promise<readonly string[]> =>
  (await introspectUrl(url)).tables.map(({ name }) => name);

const structure = `CREATE TABLE Orders (Id int PRIMARY KEY);
CREATE TABLE OrderItems (Id int PRIMARY KEY, OrderId int, FOREIGN KEY (OrderId) REFERENCES ORDERS (Id));
CREATE VIEW OpenOrders AS SELECT Id FROM Orders;
`;
const rows = 'INSERT INTO Orders VALUES (1), (2);\nINSERT INTO ORDERITEMS VALUES (7, 1), (8, 2);\n';
const trigger = `DELIMITER ;;
CREATE TRIGGER OrderAdded AFTER INSERT ON Orders FOR EACH ROW BEGIN SET @added = 1; END ;;
DELIMITER ;
`;

test('a dump with capitals in names of tables is imported, or leaves nothing', async () => {
  const wrongRow = 'INSERT INTO OrderItems VALUES (9, 3);\n';
  await expect(importDumpFile(url, structure + rows + wrongRow)).rejects.toMatchObject({
    code: 'import_failed',
  });
  expect(await tableNames()).toEqual([]);
  const imported = await importDumpFile(url, structure + rows + trigger);
  expect(imported.rows_imported).toBe(4);
  expect(imported.tables_created.toSorted()).toEqual(['orderitems', 'orders']);
  await expect(importDumpFile(url, structure + rows)).rejects.toMatchObject({
    code: 'table_exists',
  });
});

test('a schema with capitals in names of tables is created once', async () => {
  const request = { url, parameters: { if_exists: 'skip' } };
  const text = 'CREATE TABLE Shops (Id int PRIMARY KEY);\nCREATE TABLE ORDERS (Id int);\n';
  expect((await importText('schema.sql', text, request)).tables_created).toEqual(['shops']);
  expect((await importText('schema.sql', text, request)).tables_created).toEqual([]);
});

test('rows are imported into a new table with capitals in its name', async () => {
  const options = { create_table: true, table: 'NewTable' };
  const imported = await importFile(url, ['rows.csv', 'id,v\n1,a\n2,b\n'], options);
  expect(imported.rows_imported).toBe(2);
  expect(await tableNames()).toContain('newtable');
});

test('the table of a model with capitals in its name is created once', async () => {
  const source = `package models
type Item struct {
	ID     uint
	Owners []Owner \`gorm:"many2many:ItemOwners"\`
}
func (Item) TableName() string { return "ItemTable" }
type Owner struct {
	ID uint
}
`;
  const folder = mkdtempSync(join(tmpdir(), 'studio-models-'));
  const path = join(folder, 'models.go');
  writeFileSync(path, source);
  const file = { name: 'models.go', folder: '', path, bytes: source.length };
  const importItems = (): Promise<ImportModelsResponse> =>
    withContext({ url }, (job) => importModels(job, { upload: { files: [file], fields: {} } }));
  const created = (await importItems()).tables_created;
  expect(created).toContain('itemtable');
  expect(await tableNames()).toEqual(expect.arrayContaining([...created]));
  expect(await importItems()).toMatchObject({ tables_created: [], tables_altered: [] });
});

test('a server that ignores the case keeps the names of tables that exist', () => {
  const existing = { tables: [{ name: 'Orders' }], views: [] };
  const stored = storedTableNames(existing, { tableNames: 'ignoring case' });
  expect(['ORDERS', 'orders', 'Shops'].map(stored)).toEqual(['Orders', 'Orders', 'Shops']);
});
