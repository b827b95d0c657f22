/** What the body of a function does to its parameters and local variables. */
import { resolveType } from '../program/resolve-type.ts';
import { underlyingOf } from '../program/types.ts';
import { convert, typeOfValue, unknown, unknownOf } from './value.ts';
import type { SyntaxNode } from '@lezer/common';
import type { Scope } from '../program/resolve-type.ts';
import type { Parameter } from '../syntax/syntax.ts';
import type { GoType } from '../program/types.ts';
import type { Env, Value } from './value.ts';

/** The value of a parameter, from the arguments that begin with its own. */
export function argumentOf(
  { type: declared, isVariadic }: Parameter,
  args: readonly Value[],
  scope: Scope,
): Value {
  const type = resolveType(declared, scope);
  const isBasic = underlyingOf(type).form === 'basic';
  const toType = (value: Value): Value =>
    value.kind === 'constant' && isBasic ? convert(value, type) : value;
  const [first = unknown] = args;
  if (!isVariadic) return toType(first);
  const list: GoType = { form: 'slice', of: type };
  if (args.every(({ kind }) => kind === 'constant'))
    return { kind: 'list', items: args.map(toType), type: list };
  return args.length === 1 && first.kind === 'list' ? first : unknownOf(list);
}

/** Whether a part of the body that runs at another time may change a variable. Such parts are not run here. */
export function runsLater(body: SyntaxNode, text: string): boolean {
  let found = false;
  body.cursor().iterate(({ name, from, to }) => {
    const part = text.slice(from, to);
    if (name === 'FunctionLiteral') found ||= /(?<![=!<>:])=(?!=)|\+\+|--/.test(part);
    if (name === 'DeferStatement' || name === 'GoStatement') found ||= part.includes('&');
  });
  return found;
}

/** A part of a variable has changed, so the variable no longer has its zero value. */
export function markAsModified(assigned: string, frame: Pick<Env, 'locals'>): void {
  const [root = ''] = /^[\p{L}_][\p{L}\p{Nd}_]*/u.exec(assigned) ?? [];
  const old = frame.locals.get(root);
  if (old?.kind === 'members') frame.locals.set(root, unknownOf(typeOfValue(old)));
  markCollectionsUnknown(frame);
  if (old?.kind === 'zero' && underlyingOf(old.type).form !== 'basic')
    frame.locals.set(root, { kind: 'typed', type: old.type });
}

/** Lists and maps may have the same elements in memory. A text restricts this to those that it names. */
export function markCollectionsUnknown({ locals }: Pick<Env, 'locals'>, text?: string): void {
  const collections = [...locals].filter(([, { kind }]) => kind === 'list' || kind === 'map');
  const isNamed = ([name]: readonly [string, Value]): boolean => text?.includes(name) ?? true;
  if (!collections.some(isNamed)) return;
  for (const [name, value] of collections) locals.set(name, unknownOf(typeOfValue(value)));
}

/** A name that may be assigned to, also as one of several, or in part. */
const assignedName =
  /(?<![\p{L}\p{Nd}_.])([\p{L}_][\p{L}\p{Nd}_]*)\s*(?:[^=!<>:\w\s]{0,2}=(?!=)|\+\+|--|,|\.|\[)/gu;

/** The variables that a text may assign to become unknown. */
export function markAssignedUnknown(text: string, { locals }: Pick<Env, 'locals'>): void {
  for (const [, name = ''] of text.matchAll(assignedName)) {
    const value = locals.get(name);
    if (value !== undefined && name !== '_') locals.set(name, unknownOf(typeOfValue(value)));
  }
}
