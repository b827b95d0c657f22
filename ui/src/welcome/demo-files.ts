import { welcomeTexts as texts } from '../texts/welcome.ts';

/** A sample file for the import. */
export interface DemoFile {
  readonly name: string;
  readonly note: string;
  readonly url: string;
}

export const demoFiles: readonly DemoFile[] = [
  {
    name: 'new-tags.csv',
    note: texts.aboutTags,
    url: new URL('./files/new-tags.csv', import.meta.url).href,
  },
  {
    name: 'reading-rooms.dbml',
    note: texts.aboutRooms,
    url: new URL('./files/reading-rooms.dbml', import.meta.url).href,
  },
  {
    name: 'loans.go',
    note: texts.aboutLoans,
    url: new URL('./files/loans.go', import.meta.url).href,
  },
];

/** Imports the file as if it had been dropped. */
export async function fetchDemoFile({ name, url }: DemoFile): Promise<File> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(texts.fileNotFound({ name }));
  return new File([await response.blob()], name);
}
