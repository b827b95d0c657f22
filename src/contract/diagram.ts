import { z } from 'zod';
import { body, named } from './named-schema.ts';
import { diagramColumns, tables } from './exports.ts';
import { jobErrors } from './route.ts';
import type { Route } from './route.ts';

const place = { x: z.number(), y: z.number() };

const point = named('DiagramPoint', 'A place in the diagram, in pixels.', z.object(place));

const column = named(
  'DiagramColumn',
  'A column that the diagram shows.',
  z.object({
    name: z.string(),
    type: z.string(),
    is_nullable: z.boolean(),
    is_primary_key: z.boolean(),
    is_foreign_key: z.boolean(),
    is_unique: z.boolean(),
    y: z.number().describe("The middle of its row, from the table's top."),
  }),
);

const table = named(
  'DiagramTable',
  'A table or view in its place.',
  z.object({
    name: z.string(),
    kind: z.enum(['table', 'view', 'materialized_view']),
    schema: z.string().describe('Its namespace; empty where the database has none.'),
    ...place,
    width: z.number(),
    height: z.number(),
    columns: z.array(column),
    columns_left_out: z.int(),
  }),
);

const end = named(
  'DiagramEnd',
  'One end of a relation.',
  z.object({
    table: z.string(),
    columns: z.array(z.string()).describe("The key's columns here."),
    column: z.string().describe('That whose row the line ends at; the head when it is not shown.'),
    count: z
      .enum(['one', 'zero-or-one', 'zero-or-many'])
      .describe('How many rows can be at this end.'),
  }),
);

const relation = named(
  'DiagramRelation',
  'The line of a relation, at right angles.',
  z.object({
    from: end.describe('At the table that has the key.'),
    to: end.describe('At the table that it points at.'),
    has_foreign_key: z.boolean().describe('False when only a Go model tells of it.'),
    points: z.array(point),
    junctions: z.array(point).describe('Where it parts from lines that share its end.'),
  }),
);

const diagramAnswer = body('Diagram', 'Where everything of the diagram is, in pixels.', {
  schema: z.object({
    width: z.number(),
    height: z.number(),
    tables: z.array(table),
    relations: z.array(relation),
    namespaces: z.array(
      z.object({ name: z.string(), ...place, width: z.number(), height: z.number() }),
    ),
    headings: z.array(z.object({ text: z.string(), ...place })),
  }),
  example: {
    width: 180,
    height: 64,
    tables: [
      {
        name: 'users',
        kind: 'table',
        schema: '',
        x: 0,
        y: 0,
        width: 180,
        height: 64,
        columns: [
          {
            name: 'id',
            type: 'INTEGER',
            is_nullable: false,
            is_primary_key: true,
            is_foreign_key: false,
            is_unique: false,
            y: 48,
          },
        ],
        columns_left_out: 0,
      },
    ],
    relations: [],
    namespaces: [],
    headings: [],
  },
});

/** The layout of the diagram, for those who draw it themselves. */
export const diagramRoutes = {
  'get-diagram': {
    method: 'GET',
    path: '/diagram',
    summary: 'The layout of the diagram',
    description:
      'Where the tables and the lines between them are, as `/export/schema?format=svg` draws them: for clients that ' +
      'draw by themselves. Relations that only imported Go models tell of have `has_foreign_key: false`.',
    query: { tables, columns: diagramColumns },
    answers: { 200: { description: 'The layout.', json: diagramAnswer } },
    errors: [...jobErrors, 'table_not_found'],
    startsJob: true,
    access: 'read',
  },
} as const satisfies Record<string, Route>;
