/** The demo's own files to drop, as the browser finds them. */
export interface DemoFile {
  readonly name: string;
  readonly note: string;
  readonly url: string;
}

export const demoFiles: readonly DemoFile[] = [
  {
    name: 'new-tags.csv',
    note: 'rows for tags, one of them wrong',
    url: new URL('./files/new-tags.csv', import.meta.url).href,
  },
  {
    name: 'reading-rooms.dbml',
    note: 'two tables, with the SQL before and the Go after',
    url: new URL('./files/reading-rooms.dbml', import.meta.url).href,
  },
  {
    name: 'loans.go',
    note: 'two structs, as GORM makes their tables',
    url: new URL('./files/loans.go', import.meta.url).href,
  },
];

/** The same as if it had been dropped. */
export async function fetchDemoFile({ name, url }: DemoFile): Promise<File> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${name} was not found.`);
  return new File([await response.blob()], name);
}
