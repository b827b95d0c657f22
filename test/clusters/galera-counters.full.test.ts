/** Imports at one node of a Galera cluster while a client at another node has a transaction open on the table. */
import mysql from 'mysql2/promise';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createStudio } from '../../src/index.ts';
import { useGalera } from './galera.ts';

const cluster = useGalera(async ({ nodes: [first] }) => {
  await first.query(
    'CREATE TABLE shop.visits (id INT AUTO_INCREMENT PRIMARY KEY, page VARCHAR(40) NOT NULL, code INT UNIQUE)',
  );
  await first.query("INSERT INTO shop.visits (page) VALUES ('first')");
});

interface ImportResponse {
  readonly status: number;
  readonly text: string;
}

async function importAtFirst(parameters: string, csv: string): Promise<ImportResponse> {
  const studio = await createStudio({ url: cluster().nodes[0].url });
  onTestFinished(() => studio.close());
  const body = new FormData();
  body.set('file', new Blob([csv]), 'visits.csv');
  const url = `http://localhost/studio/api/import/data?table=visits${parameters}`;
  const response = await studio.fetch(new Request(url, { method: 'POST', body }));
  return { status: response.status, text: await response.text() };
}

async function beginAtSecond(): Promise<mysql.Connection> {
  const { port } = cluster().nodes[1];
  const login = { host: '127.0.0.1', port, user: 'root', password: 'galera', database: 'shop' };
  const client = await mysql.createConnection(login);
  onTestFinished(() => client.destroy());
  await client.query('BEGIN');
  await client.query("INSERT INTO visits (page) VALUES ('open')");
  return client;
}

const imports = [
  {
    name: 'a dry run',
    parameters: '&dry_run=true',
    csv: 'page\na\nb\n',
    status: 200,
    warning: 'The next number of column \\"id\\" of table \\"visits\\" has moved from',
  },
  {
    name: 'an import that fails',
    parameters: '',
    csv: 'page,code\na,1\nb,1\n',
    status: 422,
    warning: 'The next number of column \\"id\\" of table \\"visits\\" has moved from',
  },
  { name: 'an import', parameters: '', csv: 'page\na\nb\n', status: 200, warning: '' },
  { name: 'an import with ids', parameters: '', csv: 'id,page\n900,a\n', status: 200, warning: '' },
];

describe('an open transaction at another node survives', () => {
  test.each(imports)('$name', { timeout: 60_000 }, async (each) => {
    const client = await beginAtSecond();
    const { status, text } = await importAtFirst(each.parameters, each.csv);
    await client.query('COMMIT');
    expect([status, text]).toEqual([each.status, expect.stringContaining(each.warning)]);
  });
});
