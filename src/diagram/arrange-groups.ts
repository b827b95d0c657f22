/** Lays out each group of tables by itself, in an area with its name and color. */
import type { ToneNumber } from '../portable/drawing/drawing.ts';
import type { Arrangement, Frame } from './arrangement.ts';
import { printable } from '../portable/drawing/printable.ts';
import { framePad } from '../portable/drawing/frame-pad.ts';
import { bestLayered } from './layered.ts';
import type { LayeredOptions } from './layered.ts';
import { cutMiddle } from './measure.ts';
import type { Measure } from './measure.ts';
import { pack } from './pack.ts';
import { toneCount } from '../portable/drawing/palette.ts';
import type { RelationLine } from './relation-line.ts';
import { translated } from './arrangement.ts';
import type { TableBox } from './table-box.ts';
import type { TableGroup } from './table-groups.ts';

export interface GroupOptions extends LayeredOptions {
  readonly measure: Measure;
}

/** The size of a group's name, in pixels: legible where the whole diagram is seen at once. */
const titleSizes = { least: 32, most: 200, partOfWidth: 1 / 100 };
/** The maximum width of a name, relative to its size. */
const maxTitleWidth = 24;

/** Groups of this share of the target ratio fill a drawing of that ratio best: of 0.5, 0.65, 0.8 and 1. */
const groupAspect = 0.8;

/** The number of layouts to choose from, of all groups together. */
const maxTries = 20;

/** The last color is gray, for tables that have nothing in common. */
const restTone = (toneCount - 1) as ToneNumber;

export interface GroupedTables {
  readonly groups: readonly TableGroup[];
  readonly boxes: readonly TableBox[];
  /** The lines within groups. */
  readonly lines: readonly RelationLine[];
}

export async function arrangeGroups(
  { groups, boxes, lines }: GroupedTables,
  options: GroupOptions,
): Promise<Arrangement> {
  const { measure } = options;
  const byName = new Map(boxes.map((box) => [box.table.name, box]));
  const groupOptions = {
    ...options,
    // Straighter lines would make groups half as large again.
    mode: 'quick' as const,
    aspect: groupAspect * options.aspect,
    maxTries: Math.max(1, Math.floor(maxTries / groups.length)),
  };
  const parts: Arrangement[] = [];
  for (const group of groups) {
    const members = group.tables.flatMap(({ name }) => byName.get(name) ?? []);
    const names = new Set(group.tables.map(({ name }) => name));
    const graph = {
      boxes: members,
      lines: lines.filter(({ child }) => names.has(child.table)),
      bandOf: () => 0,
    };
    parts.push(await bestLayered(graph, groupOptions));
  }
  const size = titleSizeFor(parts, options.aspect);
  const areas = parts.map((part, i) =>
    framed(part, titleOf(groups[i]?.name ?? '', { size, measure })),
  );
  return withTones(pack(areas, options.aspect), groups);
}

function titleSizeFor(parts: readonly Arrangement[], aspect: number): number {
  const area = parts.reduce((sum, { width, height }) => sum + width * height, 0);
  const width = Math.sqrt(area * aspect);
  const { least, most, partOfWidth } = titleSizes;
  return Math.round(Math.min(most, Math.max(least, width * partOfWidth)));
}

interface Title extends Pick<Frame, 'name' | 'title' | 'titleSize'> {
  readonly width: number;
}

function titleOf(
  name: string,
  { size, measure }: { readonly size: number; readonly measure: Measure },
): Title {
  const style = { face: 'bold', size } as const;
  const title = cutMiddle(printable(name), style, { width: size * maxTitleWidth, measure });
  return { name, title, titleSize: size, width: measure(title, style) * 1.06 };
}

function framed(arrangement: Arrangement, { width: titleWidth, ...title }: Title): Arrangement {
  const { width, height } = arrangement;
  const tables = arrangement.boxes.map(({ box }) => box.table.name);
  const pad = framePad(title.titleSize);
  const frame = {
    ...title,
    tables,
    tone: 0 as const,
    x: -pad.side,
    y: -pad.top,
    width: Math.ceil(Math.max(width, titleWidth) + 2 * pad.side),
    height: Math.ceil(height + pad.top + pad.bottom),
  };
  return {
    ...translated({ ...arrangement, frames: [frame] }, { x: pad.side, y: pad.top }),
    width: frame.width,
    height: frame.height,
  };
}

/** Gives each group the color whose nearest group is farthest away. */
function withTones(arrangement: Arrangement, groups: readonly TableGroup[]): Arrangement {
  const rest = new Set(groups.filter(({ isRest }) => isRest).map(({ name }) => name));
  const colored: Frame[] = [];
  for (const frame of arrangement.frames.toSorted((a, b) => a.y - b.y || a.x - b.x)) {
    const tone = rest.has(frame.name) ? restTone : farthestTone(frame, colored);
    colored.push({ ...frame, tone });
  }
  return { ...arrangement, frames: colored };
}

function farthestTone(frame: Frame, colored: readonly Frame[]): ToneNumber {
  const distances = Array.from({ length: restTone }, (_, tone) =>
    Math.min(...colored.filter((other) => other.tone === tone).map((other) => gapTo(frame, other))),
  );
  return distances.indexOf(Math.max(...distances)) as ToneNumber;
}

function gapTo(a: Frame, b: Frame): number {
  const x = Math.max(0, a.x - b.x - b.width, b.x - a.x - a.width);
  const y = Math.max(0, a.y - b.y - b.height, b.y - a.y - a.height);
  return Math.hypot(x, y);
}
