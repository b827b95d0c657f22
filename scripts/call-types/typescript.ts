/** Renders JSON Schemas as TypeScript types, for the part of JSON Schema that the contract uses. */

export interface JsonSchema {
  readonly $ref?: string;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly items?: JsonSchema;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | JsonSchema;
  readonly description?: string;
}

export interface TypeContext {
  /** The type of a value that the schema does not restrict. */
  readonly anyValue: string;
  /** The type of a reference. */
  readonly typeOfRef: (ref: string) => string;
}

export function typeOf(schema: JsonSchema, context: TypeContext): string {
  if (schema.$ref !== undefined) return context.typeOfRef(schema.$ref);
  const variants = schema.anyOf ?? schema.oneOf;
  if (variants !== undefined) return variants.map((each) => typeOf(each, context)).join(' | ');
  if ('const' in schema) return literal(schema.const);
  if (schema.enum !== undefined) return schema.enum.map(literal).join(' | ');
  if (schema.type === 'array') return `readonly ${inParentheses(itemType(schema, context))}[]`;
  if (schema.type === 'object') return objectType(schema, context);
  if (schema.type === undefined) return context.anyValue;
  return [schema.type].flat().map(primitive).join(' | ');
}

function primitive(type: string): string {
  return type === 'integer' ? 'number' : type;
}

function itemType({ items = {} }: JsonSchema, context: TypeContext): string {
  return typeOf(items, context);
}

function inParentheses(type: string): string {
  return / \| |^readonly /.test(type) ? `(${type})` : type;
}

function objectType(schema: JsonSchema, context: TypeContext): string {
  const { properties = {}, required = [], additionalProperties } = schema;
  const members = Object.entries(properties).map(([name, member]) =>
    memberOf(name, { type: typeOf(member, context), isRequired: required.includes(name) }, member),
  );
  if (typeof additionalProperties === 'object') {
    // An index signature must also accept the named members.
    const type = members.length === 0 ? typeOf(additionalProperties, context) : 'unknown';
    members.push(`readonly [name: string]: ${type};`);
  }
  return objectTypeOf(members);
}

interface Member {
  readonly type: string;
  readonly isRequired: boolean;
}

export function memberOf(
  name: string,
  { type, isRequired }: Member,
  { description }: Pick<JsonSchema, 'description'> = {},
): string {
  const member = isRequired
    ? `readonly ${memberName(name)}: ${type};`
    : `readonly ${memberName(name)}?: ${type} | undefined;`;
  return `${comment(description)}${member}`;
}

export function comment(text: string | undefined): string {
  return text === undefined ? '' : `/** ${text.replaceAll('*/', '*\\/')} */\n`;
}

export function objectTypeOf(members: readonly string[]): string {
  if (members.length === 0) return '{}';
  return `{\n${members.map((member) => indented(member)).join('\n')}\n}`;
}

function indented(text: string): string {
  return text.replaceAll(/^(?=.)/gm, '  ');
}

function memberName(name: string): string {
  return /^[a-zA-Z_]\w*$/.test(name) ? name : literal(name);
}

export function literal(value: unknown): string {
  if (typeof value !== 'string') return JSON.stringify(value);
  return `'${value.replaceAll(/[\\']/g, String.raw`\$&`)}'`;
}
