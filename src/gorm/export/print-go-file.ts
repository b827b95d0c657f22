/** Prints Go source in gofmt's format. */
import { goStringLiteral } from './struct-tags.ts';
import type { GoImport } from './field-types.ts';

export interface PrintedField {
  /** Comment lines above it. */
  readonly comment: readonly string[];
  readonly name: string;
  readonly type: string;
  /** The literal of the struct tag. */
  readonly tag: string;
}

export interface PrintedStruct {
  readonly name: string;
  readonly doc: readonly string[];
  /** Groups are separated by a blank line. */
  readonly groups: readonly (readonly PrintedField[])[];
  /** The return value of its TableName method. */
  readonly table: string;
}

export interface PrintedFile {
  readonly doc: readonly string[];
  readonly packageName: string;
  readonly imports: readonly GoImport[];
  readonly structs: readonly PrintedStruct[];
  /** Comment lines at the end of the file. */
  readonly trailingComment: readonly string[];
}

export function printGoFile({
  doc,
  packageName,
  imports,
  structs,
  trailingComment,
}: PrintedFile): string {
  const parts = [
    [...docComment(doc), `package ${packageName}`].join('\n'),
    ...(imports.length === 0 ? [] : [importBlock(imports)]),
    ...structs.map(printStruct),
    ...(trailingComment.length === 0 ? [] : [comment(trailingComment).join('\n')]),
  ];
  return `${parts.join('\n\n')}\n`;
}

/** Imports of the standard library come first. */
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

function printStruct({ name, doc, groups, table }: PrintedStruct): string {
  const nonEmptyGroups = groups.filter((group) => group.length > 0);
  const body = nonEmptyGroups
    .map((group) => alignedGroups(group).map(printAlignedGroup).join('\n'))
    .join('\n\n');
  const type = body === '' ? `type ${name} struct{}` : `type ${name} struct {\n${body}\n}`;
  return [
    ...docComment(doc),
    type,
    '',
    ...tableNameMethod(name, `return ${goStringLiteral(table)}`),
  ].join('\n');
}

/** gofmt keeps a function on one line up to this many bytes. */
const maxLineLength = 100;

function tableNameMethod(struct: string, body: string): readonly string[] {
  const head = `func (${struct}) TableName() string`;
  return Buffer.byteLength(head + body) <= maxLineLength
    ? [`${head} { ${body} }`]
    : [`${head} {`, `\t${body}`, '}'];
}

/** Fields are aligned up to the next comment. */
function alignedGroups(fields: readonly PrintedField[]): readonly (readonly PrintedField[])[] {
  const groups: PrintedField[][] = [];
  for (const field of fields) {
    const last = groups.at(-1);
    if (last === undefined || field.comment.length > 0) groups.push([field]);
    else last.push(field);
  }
  return groups;
}

function printAlignedGroup(fields: readonly PrintedField[]): string {
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

/** gofmt replaces pairs of quotes in the comment of a declaration. */
function docComment(lines: readonly string[]): readonly string[] {
  return comment(lines).map((line) => line.replaceAll('``', '“').replaceAll("''", '”'));
}

function comment(lines: readonly string[]): readonly string[] {
  return lines.flatMap(commentLines).map((line) => `// ${line}`);
}

/**
 * The lines of a comment without indentation and control characters, so that gofmt does not change them. It moves a line
 * that starts with `+build` to the head of the file.
 */
function commentLines(text: string): readonly string[] {
  const lines = text.toWellFormed().split(/[\n\r\u2028\u2029]/);
  const cleanLines = lines.map((line) => line.replaceAll(/[\p{C}\s]+/gu, ' ').trim());
  return cleanLines
    .filter((line) => line !== '')
    .map((line) => line.replace(/^\+(?=build\b)/, '+ '));
}
