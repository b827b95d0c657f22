import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { JSX } from 'react';
import { schemaQuery } from '../api/queries.ts';
import type { Column, Table } from '../api/queries.ts';
import { typeText } from '../cells/value-kind.ts';
import { Icon } from '../parts/icon.tsx';
import { SourcePane } from './source-pane.tsx';
import { structureTexts as texts } from '../texts/structure.ts';
import { commonTexts } from '../texts/common.ts';

/** The structure of a table, and its source in SQL and Go. */
export function StructureView({ table }: { readonly table: Table }): JSX.Element {
  return (
    <div className="structure">
      <div className="structure-parts">
        {table.comment !== '' && <p className="t2 pad">{table.comment}</p>}
        <Columns table={table} />
        <Indexes table={table} />
        <ForeignKeys table={table} />
        <Checks table={table} />
      </div>
      <SourcePane key={table.name} table={table} />
    </div>
  );
}

interface SectionProps {
  readonly title: string;
  readonly count: string;
  readonly children: JSX.Element;
}

function Section({ title, count, children }: SectionProps): JSX.Element {
  return (
    <section className="structure-part" aria-label={title}>
      <h2 className="b">
        {title} <span className="t3">{count}</span>
      </h2>
      {children}
    </section>
  );
}

/** Keeps the key beside its name. */
const noBreakSpace = '\u00a0';

const columnHeads = [texts.name, commonTexts.type, texts.nullability, texts.default, texts.notes];

function Columns({ table }: { readonly table: Table }): JSX.Element {
  return (
    <Section title={commonTexts.columns} count={String(table.columns.length)}>
      <table className="plain columns">
        <thead>
          <tr>
            {columnHeads.map((name) => (
              <th key={name}>{name}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {table.columns.map((column) => (
            <tr key={column.name}>
              <td className="m">
                <span className="column-name">
                  {column.is_primary_key && <Icon name="key" size="xs" className="accent" />}
                  {column.name}
                </span>
              </td>
              <td className="mono t2">{typeText(column)}</td>
              <td className={column.is_nullable ? '' : 't3'}>
                {column.is_nullable ? texts.nullable : texts.notNull}
              </td>
              <td className="mono t2 default">{column.default_value}</td>
              <td className="t2">{columnNotes(table, column)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Section>
  );
}

function columnNotes(table: Table, column: Column): string {
  const { references, enum_values: values, generated_expression: expression } = column;
  return [
    ...(references === undefined
      ? []
      : [`→${noBreakSpace}${references.table}.${references.column}`]),
    ...(column.is_unique && !column.is_primary_key ? [texts.unique] : []),
    ...(column.is_auto_increment ? [texts.autoIncrement] : []),
    ...(expression === undefined ? [] : [texts.generated({ expression })]),
    ...(values === undefined ? [] : [values.join(', ')]),
    ...(table.soft_delete_column === column.name ? [texts.softDelete] : []),
    ...(column.comment === '' ? [] : [column.comment]),
  ].join('; ');
}

function Indexes({ table }: { readonly table: Table }): JSX.Element | null {
  const count = table.indexes.length + (table.primary_key.length > 0 ? 1 : 0);
  if (count === 0) return null;
  return (
    <Section title={texts.indexes} count={String(count)}>
      <table className="plain">
        <tbody>
          {table.primary_key.length > 0 && (
            <tr>
              <td className="m">{texts.primaryKey}</td>
              <td className="mono t2">{table.primary_key.join(', ')}</td>
              <td>
                <span className="badge acc">{texts.primary}</span>
              </td>
            </tr>
          )}
          {table.indexes.map((index) => (
            <tr key={index.name}>
              <td className="m">{index.name}</td>
              <td className="mono t2">
                {texts.indexColumns({ columns: index.columns.join(', '), where: index.where })}
              </td>
              <td>
                {index.is_unique && <span className="badge">{texts.unique}</span>}{' '}
                {index.where !== '' && <span className="badge">{texts.partial}</span>}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Section>
  );
}

interface KeyLine {
  readonly isOutgoing: boolean;
  readonly table: string;
  readonly ownColumns: string;
  readonly otherColumns: string;
  readonly actions: string;
}

function ForeignKeys({ table }: { readonly table: Table }): JSX.Element | null {
  const { data: schema } = useQuery(schemaQuery);
  const outgoing = table.foreign_keys.map((key) => keyLine(table, key, true));
  const incoming = (schema?.tables ?? []).flatMap((other) =>
    other.foreign_keys
      .filter(({ references }) => references.table === table.name)
      .map((key) => keyLine(other, key, false)),
  );
  if (outgoing.length + incoming.length === 0) return null;
  return (
    <Section
      title={texts.foreignKeys}
      count={texts.outgoingAndIncoming({ outgoing: outgoing.length, incoming: incoming.length })}
    >
      <table className="plain">
        <tbody>
          {[...outgoing, ...incoming].map((line) => (
            <tr
              key={`${String(line.isOutgoing)} ${line.table} ${line.ownColumns} ${line.otherColumns}`}
            >
              <td>
                <span className="badge line">
                  {line.isOutgoing ? texts.outgoing : texts.incoming}
                </span>
              </td>
              <td className="mono t2">{line.ownColumns}</td>
              <td className="mono">
                {line.isOutgoing ? '→' : '←'}{' '}
                <Link
                  className="link"
                  to="/tables/$table"
                  params={{ table: line.table }}
                  search={{ view: 'structure' }}
                >
                  {line.table}
                </Link>{' '}
                {line.otherColumns}
              </td>
              <td className="t3 r">{line.actions}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Section>
  );
}

function keyLine(owner: Table, key: Table['foreign_keys'][number], isOutgoing: boolean): KeyLine {
  const from = key.columns.join(', ');
  const to = key.references.columns.join(', ');
  const actions = [
    ...(key.on_delete === 'no action' ? [] : [texts.onDelete({ action: key.on_delete })]),
    ...(key.on_update === 'no action' ? [] : [texts.onUpdate({ action: key.on_update })]),
  ].join(', ');
  return isOutgoing
    ? { isOutgoing, table: key.references.table, ownColumns: from, otherColumns: to, actions }
    : { isOutgoing, table: owner.name, ownColumns: to, otherColumns: from, actions };
}

function Checks({ table }: { readonly table: Table }): JSX.Element | null {
  if (table.checks.length === 0) return null;
  return (
    <Section title={texts.checks} count={String(table.checks.length)}>
      <table className="plain">
        <tbody>
          {table.checks.map(({ name, expression }) => (
            <tr key={`${name} ${expression}`}>
              <td className="m">{name}</td>
              <td className="mono t2">{expression}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Section>
  );
}
