import { writeZipOf } from './write-zip.ts';

export interface WorkbookParts {
  readonly sheets: Readonly<Record<string, string>>;
  readonly strings?: readonly string[];
  readonly styles?: string;
  readonly workbookAttributes?: string;
  readonly sheetAttributes?: Readonly<Record<string, string>>;
}

const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

/** Builds a workbook with shared strings, styles, a namespace prefix, and parts that only their relationships name. */
export async function buildWorkbook(parts: WorkbookParts): Promise<Buffer> {
  const names = Object.keys(parts.sheets);
  const relations = [
    ...names.map(
      (_, i) =>
        `<Relationship Id="r${i}" Type="${office}/worksheet" Target="worksheets/sheet${i}.xml"/>`,
    ),
    `<Relationship Id="s" Type="${office}/sharedStrings" Target="/xl/strings.xml"/>`,
    `<Relationship Id="t" Type="${office}/styles" Target="styles.xml"/>`,
  ];
  return writeZipOf([
    ...names.map((name, i) => ({
      name: `xl/worksheets/sheet${i}.xml`,
      content: `<worksheet><sheetData>${parts.sheets[name]}</sheetData></worksheet>`,
    })),
    {
      name: '_rels/.rels',
      content: `<Relationships><Relationship Id="w" Type="${office}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    },
    {
      name: 'xl/workbook.xml',
      content: `<?xml version="1.0"?><x:workbook xmlns:x="m" xmlns:r="o"><x:workbookPr ${parts.workbookAttributes ?? ''}/><x:sheets>${names
        .map(
          (name, i) =>
            `<x:sheet name="${name}" sheetId="${i + 1}" r:id="r${i}" ${parts.sheetAttributes?.[name] ?? ''}/>`,
        )
        .join('')}</x:sheets></x:workbook>`,
    },
    {
      name: 'xl/_rels/workbook.xml.rels',
      content: `<Relationships>${relations.join('')}</Relationships>`,
    },
    {
      name: 'xl/strings.xml',
      content: `<sst>${(parts.strings ?? []).map((text) => `<si>${text}</si>`).join('')}</sst>`,
    },
    { name: 'xl/styles.xml', content: parts.styles ?? '<styleSheet/>' },
  ]);
}
