/**
 * Checks that code outside src/databases does not depend on the name of the database: what differs between
 * databases is in the Dialect. Looks for comparisons, cases, look-ups and tables by a database's name.
 */
import { Visitor } from 'oxc-parser';
import type { ArrayExpression, Node, ObjectExpression, ObjectProperty } from 'oxc-parser';

import { lineAt, readSources, report } from './sources.ts';
import type { Source } from './sources.ts';

const names = ['sqlite', 'postgres', 'postgresql', 'mysql', 'mariadb', 'sqlserver', 'mssql'];
const comparisons = ['===', '!==', '==', '!='];
const lookUps = ['includes', 'indexOf', 'startsWith', 'endsWith', 'has', 'get'];

function isName(text: unknown): boolean {
  return typeof text === 'string' && names.includes(text.toLowerCase().replace(/:(\/\/)?$/, ''));
}

/** A name, or a list with one in it: `['mysql', 'sqlite'].includes(…)`. */
function isNamed(node: Node | null): boolean {
  if (node?.type === 'ArrayExpression') return node.elements.some(isNamed);
  return node?.type === 'Literal' && isName(node.value);
}

function isNameKey({ key }: ObjectProperty): boolean {
  return key.type === 'Identifier' ? isName(key.name) : isNamed(key);
}

/** `{ sqlite: …, mysql: … }` is a comparison too; a single such key may mean something else. */
function isTableByName({ properties }: ObjectExpression): boolean {
  const keys = properties.filter((item) => item.type === 'Property');
  return keys.filter(isNameKey).length > 1;
}

/** `[['sqlite', …], ['mysql', …]]`, in a Map or by itself, is such a table too. */
function isListByName({ elements }: ArrayExpression): boolean {
  const keys = elements.map((element) =>
    element?.type === 'ArrayExpression' ? (element.elements[0] ?? null) : element,
  );
  return keys.filter(isNamed).length > 1;
}

export function databaseNameFaults({ path, text, parsed }: Source): string[] {
  const faults: string[] = [];
  let reportedTo = 0;
  // Outer nodes come first: what is within a reported one is part of the same fault.
  const addFault = (isFault: boolean, { start, end }: { start: number; end: number }): void => {
    if (!isFault || start < reportedTo) return;
    reportedTo = end;
    const code = text.slice(start, end).replace(/\s+/g, ' ').slice(0, 60);
    faults.push(`${path}:${lineAt(text, start)} asks for a database by name: ${code}`);
  };
  new Visitor({
    BinaryExpression: (node) =>
      addFault(
        comparisons.includes(node.operator) && (isNamed(node.left) || isNamed(node.right)),
        node,
      ),
    SwitchCase: (node) => addFault(isNamed(node.test), node),
    ObjectExpression: (node) => addFault(isTableByName(node), node),
    ArrayExpression: (node) => addFault(isListByName(node), node),
    CallExpression: (node) => {
      const { callee } = node;
      if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return;
      const operands = [callee.object, ...node.arguments];
      addFault(lookUps.includes(callee.property.name) && operands.some(isNamed), node);
    },
  }).visit(parsed.program);
  return faults;
}

if (import.meta.main) {
  const outside = readSources().filter(({ path }) => !path.startsWith('src/databases/'));
  report(outside.flatMap(databaseNameFaults));
}
