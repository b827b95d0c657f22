import type { Point } from '../../portable/drawing/drawing.ts';
import { StudioError } from '../../model/errors.ts';
import type { Schema } from '../../model/schema.ts';
import { findTable } from '../core/find-table.ts';

/** The largest coordinate, so that a picture of two tables keeps a size that can be drawn. */
export const maxCoordinate = 100_000;

/** Reads positions of tables in a diagram: a JSON object of `[x, y]` in pixels, by the table's name. */
export function readPositions(
  text: string | undefined,
  schema: Schema,
): ReadonlyMap<string, Point> {
  const positions = new Map<string, Point>();
  if (text === undefined || text === '') return positions;
  for (const [name, position] of Object.entries(objectIn(text)))
    positions.set(findTable(schema, name).name, pointIn(name, position));
  return positions;
}

function objectIn(text: string): object {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  } catch {
    // The error below says what is expected.
  }
  throw invalidPositions('positions must be a JSON object such as {"users": [120, 40]}.');
}

function pointIn(name: string, position: unknown): Point {
  if (Array.isArray(position) && position.length === 2 && position.every(isCoordinate)) {
    const [x, y] = position as [number, number];
    return { x, y };
  }
  throw invalidPositions(
    `The position of "${name}" must be [x, y], two numbers from -${maxCoordinate} to ${maxCoordinate}.`,
  );
}

function isCoordinate(value: unknown): boolean {
  return typeof value === 'number' && Math.abs(value) <= maxCoordinate;
}

function invalidPositions(message: string): StudioError {
  return new StudioError('invalid_parameter', message, { parameter: 'positions' });
}
