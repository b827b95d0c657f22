/** Go source as gofmt has it. */
import { goText } from './field-tags.ts';
import type { GoImport } from './field-types.ts';

export interface WrittenField {
  /** Lines above it. */
  readonly comment: readonly string[];
  readonly name: string;
  readonly type: string;
  /** Its literal. */
  readonly tag: string;
}

export interface WrittenStruct {
  readonly name: string;
  readonly doc: readonly string[];
  /** A blank line stands between groups. */
  readonly groups: readonly (readonly WrittenField[])[];
  /** What its TableName gives. */
  readonly table: string;
}

export interface WrittenFile {
  readonly doc: readonly string[];
  readonly packageName: string;
  readonly imports: readonly GoImport[];
  readonly structs: readonly WrittenStruct[];
  /** What is said at the end. */
  readonly notes: readonly string[];
}

export function printFile({ doc, packageName, imports, structs, notes }: WrittenFile): string {
  const parts = [
    [...comment(doc), `package ${packageName}`].join('\n'),
    ...(imports.length === 0 ? [] : [importBlock(imports)]),
    ...structs.map(printStruct),
    ...(notes.length === 0 ? [] : [comment(notes).join('\n')]),
  ];
  return `${parts.join('\n\n')}\n`;
}

/** The standard library first. */
function importBlock(imports: readonly GoImport[]): string {
  const [one, another] = imports;
  if (one !== undefined && another === undefined) return `import ${importSpec(one)}`;
  const sorted = imports.toSorted((a, b) => (a.path < b.path ? -1 : 1));
  const groups = [
    sorted.filter(({ path }) => !path.includes('.')),
    sorted.filter(({ path }) => path.includes('.')),
  ].filter((group) => group.length > 0);
  const lines = groups.map((group) => group.map((each) => `\t${importSpec(each)}`).join('\n'));
  return `import (\n${lines.join('\n\n')}\n)`;
}

function importSpec({ path, name }: GoImport): string {
  return `${name === undefined ? '' : `${name} `}"${path}"`;
}

function printStruct({ name, doc, groups, table }: WrittenStruct): string {
  const filled = groups.filter((group) => group.length > 0);
  const body = filled.map((group) => sections(group).map(printSection).join('\n')).join('\n\n');
  const type = body === '' ? `type ${name} struct{}` : `type ${name} struct {\n${body}\n}`;
  return [...comment(doc), type, '', ...tableNameMethod(name, `return ${goText(table)}`)].join(
    '\n',
  );
}

/** gofmt lets a function have one line up to this many bytes, and several lines always. */
const longestLine = 100;

function tableNameMethod(struct: string, body: string): readonly string[] {
  const head = `func (${struct}) TableName() string`;
  return Buffer.byteLength(head + body) <= longestLine
    ? [`${head} { ${body} }`]
    : [`${head} {`, `\t${body}`, '}'];
}

/** A comment begins a new run of fields that are aligned. */
function sections(fields: readonly WrittenField[]): readonly (readonly WrittenField[])[] {
  const found: WrittenField[][] = [];
  for (const field of fields) {
    const last = found.at(-1);
    if (last === undefined || field.comment.length > 0) found.push([field]);
    else last.push(field);
  }
  return found;
}

function printSection(fields: readonly WrittenField[]): string {
  const names = widest(fields.map(({ name }) => name));
  const types = widest(fields.map(({ type }) => type));
  const lines = fields.map(
    ({ name, type, tag }) => `\t${padded(name, names)} ${padded(type, types)} ${tag}`,
  );
  return [...comment(fields[0]?.comment ?? []).map((line) => `\t${line}`), ...lines].join('\n');
}

function widest(texts: readonly string[]): number {
  return Math.max(...texts.map((text) => [...text].length));
}

function padded(text: string, width: number): string {
  return text + ' '.repeat(width - [...text].length);
}

function comment(lines: readonly string[]): readonly string[] {
  return lines.flatMap(commentLines).map((line) => `// ${line}`);
}

/** What gofmt would take for a heading, a list or code, or Go for no text at all, is made plain. */
function commentLines(text: string): readonly string[] {
  const lines = text.toWellFormed().split(/[\n\r\u2028\u2029]/);
  const plain = lines.map((line) => line.replaceAll(/[\p{C}\s]+/gu, ' ').trim());
  return plain.filter((line) => line !== '');
}
