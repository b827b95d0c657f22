/** The parts of a workbook except its sheets: https://ecma-international.org/publications-and-standards/standards/ecma-376/ */
import { xmlText } from './cells.ts';
import { styleSheet } from './date-cells.ts';

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const spreadsheet = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const packaging = 'http://schemas.openxmlformats.org/package/2006';
const media = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

/** Parts are sheets by default, so that this can be written before the number of sheets is known. */
export const contentTypes = `${declaration}<Types xmlns="${packaging}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="${media}.worksheet+xml"/><Override PartName="/xl/workbook.xml" ContentType="${media}.sheet.main+xml"/><Override PartName="/xl/styles.xml" ContentType="${media}.styles+xml"/><Override PartName="/docProps/custom.xml" ContentType="application/vnd.openxmlformats-officedocument.custom-properties+xml"/></Types>`;

export const packageRelations = `${declaration}<Relationships xmlns="${packaging}/relationships"><Relationship Id="rId1" Type="${office}/officeDocument" Target="xl/workbook.xml"/><Relationship Id="rId2" Type="${office}/custom-properties" Target="docProps/custom.xml"/></Relationships>`;

/** Prefix of the custom properties that name the table of a sheet. */
export const tableProperty = 'Table of sheet ';
/** The property set of user-defined properties, and the first id in it: [MS-OSHARED] 2.3.3.2.3. */
const propertySet = '{D5CDD505-2E9C-101B-9397-08002B2CF9AE}';
const firstProperty = 2;

/** Custom properties with the table name of each sheet. Spreadsheet programs keep them when they save. */
export function tableProperties(tableOfSheet: ReadonlyMap<string, string>): string {
  const properties = [...tableOfSheet].map(
    ([sheet, table], i) =>
      `<property fmtid="${propertySet}" pid="${firstProperty + i}" name="${attribute(tableProperty + sheet)}"><vt:lpwstr>${xmlText(table)}</vt:lpwstr></property>`,
  );
  return `${declaration}<Properties xmlns="http://schemas.openxmlformats.org/officeDocument/2006/custom-properties" xmlns:vt="http://schemas.openxmlformats.org/officeDocument/2006/docPropsVTypes">${properties.join('')}</Properties>`;
}

/** The files of the sheets are `sheet1.xml` and so on, in the order of the names. */
export function workbook(sheets: readonly string[]): string {
  const list = sheets.map(
    (name, i) => `<sheet name="${attribute(name)}" sheetId="${i + 1}" r:id="rId${i + 1}"/>`,
  );
  return `${declaration}<workbook xmlns="${spreadsheet}" xmlns:r="${office}"><sheets>${list.join('')}</sheets></workbook>`;
}

function attribute(text: string): string {
  return xmlText(text).replaceAll('"', '&quot;');
}

export function workbookRelations(sheets: number): string {
  const list = Array.from(
    { length: sheets },
    (_, i) =>
      `<Relationship Id="rId${i + 1}" Type="${office}/worksheet" Target="worksheets/sheet${i + 1}.xml"/>`,
  );
  const styles = `<Relationship Id="rId${sheets + 1}" Type="${office}/styles" Target="styles.xml"/>`;
  return `${declaration}<Relationships xmlns="${packaging}/relationships">${list.join('')}${styles}</Relationships>`;
}

/** The part with the styles of cells. */
export const styles = `${declaration}<styleSheet xmlns="${spreadsheet}">${styleSheet()}</styleSheet>`;

/** Begins a sheet whose header row is frozen. A column without a width has the usual one. */
export function sheetStart(widths: readonly (number | undefined)[] = []): string {
  const columns = widths.flatMap((width, i) =>
    width === undefined
      ? []
      : [`<col min="${i + 1}" max="${i + 1}" width="${width}" customWidth="1"/>`],
  );
  const columnList = columns.length === 0 ? '' : `<cols>${columns.join('')}</cols>`;
  return `${declaration}<worksheet xmlns="${spreadsheet}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>${columnList}<sheetData>`;
}
export const sheetEnd = '</sheetData></worksheet>';
