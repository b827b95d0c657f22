/** A sample file for the import. */
export interface DemoFile {
  readonly name: string;
  readonly note: string;
  readonly url: string;
}

export const demoFiles: readonly DemoFile[] = [
  {
    name: 'new-tags.csv',
    note: 'rows for the table tags, one of them invalid',
    url: new URL('./files/new-tags.csv', import.meta.url).href,
  },
  {
    name: 'reading-rooms.dbml',
    note: 'two tables, shown as SQL before and as Go models after the import',
    url: new URL('./files/reading-rooms.dbml', import.meta.url).href,
  },
  {
    name: 'loans.go',
    note: 'two structs, imported as the tables that GORM would create',
    url: new URL('./files/loans.go', import.meta.url).href,
  },
];

/** Imports the file as if it had been dropped. */
export async function fetchDemoFile({ name, url }: DemoFile): Promise<File> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${name} was not found.`);
  return new File([await response.blob()], name);
}
