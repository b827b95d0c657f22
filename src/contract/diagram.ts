import { z } from 'zod';
import { body, named } from './named-schema.ts';
import { diagramColumns, tables } from './exports.ts';
import { jobErrors } from './route.ts';
import type { Route } from './route.ts';

const position = { x: z.number(), y: z.number() };

const point = named('DiagramPoint', 'A position in the diagram, in pixels.', z.object(position));

const column = named(
  'DiagramColumn',
  'A column that the diagram shows.',
  z.object({
    name: z.string(),
    title: z.string().describe('The name as drawn: a long one is cut in its middle.'),
    type: z.string(),
    is_nullable: z.boolean(),
    is_primary_key: z.boolean(),
    is_foreign_key: z.boolean(),
    is_unique: z.boolean(),
    x: z.number().describe("Left edge of the column's row, relative to the table's left edge."),
    width: z.number().describe("Width of the column's row."),
    y: z.number().describe("Vertical center of the column's row, relative to the table's top."),
  }),
);

const label = named(
  'DiagramLabel',
  'A label beside a table, in place of lines: in diagrams with groups for lines between them, and in all diagrams for lines into a table that many others reference.',
  z.object({
    direction: z
      .enum(['to', 'from'])
      .describe('Whether the lines go to the other tables or come from them.'),
    tables: z.array(z.string()).describe('The other tables.'),
    text: z.string(),
    x: z.number().describe("Left edge, relative to the table's left edge."),
    y: z.number().describe("Vertical center, relative to the table's top."),
    width: z.number(),
  }),
);

const group = named(
  'DiagramGroup',
  'The area of a group of tables: a namespace or, in large diagrams, tables with a common prefix or with many relations between them.',
  z.object({
    name: z.string().describe('Empty for the default namespace.'),
    title: z.string().describe('The name as drawn.'),
    title_size: z.number().describe('The size of the drawn name, in pixels.'),
    color: z.int().describe('The number of its color, from 0 to 7.'),
    tables: z.array(z.string()),
    ...position,
    width: z.number(),
    height: z.number(),
  }),
);

const branch = named(
  'DiagramBranch',
  'The line from another column of a composite key to the line of the relation.',
  z.object({
    at: z.enum(['from', 'to']).describe('The end of the relation.'),
    points: z.array(point),
  }),
);

const table = named(
  'DiagramTable',
  'A table or view with its position.',
  z.object({
    name: z.string(),
    title: z.string().describe('The name as drawn: a long one is cut in its middle.'),
    kind: z.enum(['table', 'view', 'materialized_view']),
    schema: z.string().describe('Its namespace; empty where the database has none.'),
    ...position,
    width: z.number(),
    height: z.number(),
    columns: z.array(column),
    columns_left_out: z
      .int()
      .describe('The number of columns that the parameter `columns` leaves out.'),
    labels: z.array(label),
  }),
);

const relationEnd = named(
  'DiagramEnd',
  'One end of a relation.',
  z.object({
    table: z.string(),
    columns: z.array(z.string()).describe('The columns of the key in this table.'),
    column: z
      .string()
      .describe(
        "The column that the line ends at; at the table's header if the column is not shown.",
      ),
    count: z
      .enum(['one', 'zero-or-one', 'zero-or-many'])
      .describe('Cardinality: how many rows can be at this end.'),
  }),
);

const relation = named(
  'DiagramRelation',
  'The line of a relation. All corners are right angles.',
  z.object({
    from: relationEnd.describe('The end at the referencing table.'),
    to: relationEnd.describe('The end at the referenced table.'),
    has_foreign_key: z.boolean().describe('False if only a Go model declares the relation.'),
    is_labeled: z
      .boolean()
      .describe('Whether the line ends at a label of `from` instead of the other table.'),
    points: z.array(point),
    junctions: z
      .array(point)
      .describe('Points where this line leaves another line that shares one of its ends.'),
    branches: z.array(branch),
  }),
);

const diagramResponse = body(
  'Diagram',
  'Positions and sizes of all parts of the diagram, in pixels.',
  {
    schema: z.object({
      width: z.number(),
      height: z.number(),
      tables: z.array(table),
      relations: z.array(relation),
      groups: z.array(group),
      headings: z.array(z.object({ text: z.string(), ...position })),
    }),
    example: {
      width: 180,
      height: 64,
      tables: [
        {
          name: 'users',
          title: 'users',
          kind: 'table',
          schema: '',
          x: 0,
          y: 0,
          width: 180,
          height: 64,
          columns: [
            {
              name: 'id',
              title: 'id',
              type: 'INTEGER',
              is_nullable: false,
              is_primary_key: true,
              is_foreign_key: false,
              is_unique: false,
              x: 0,
              width: 180,
              y: 48,
            },
          ],
          columns_left_out: 0,
          labels: [],
        },
      ],
      relations: [],
      groups: [],
      headings: [],
    },
  },
);

/** The layout of the diagram, for clients that draw it themselves. */
export const diagramRoutes = {
  'get-diagram': {
    method: 'GET',
    path: '/diagram',
    summary: 'The layout of the diagram',
    description:
      'Positions of the tables and of the lines between them, as in `/export/schema?format=svg`, for clients that ' +
      'draw the diagram themselves. Relations that only imported Go models declare have `has_foreign_key: false`.',
    query: { tables, columns: diagramColumns },
    responses: { 200: { description: 'The layout.', json: diagramResponse } },
    errors: [...jobErrors, 'table_not_found'],
    startsJob: true,
    access: 'read',
  },
} as const satisfies Record<string, Route>;
