/** Frames around groups of tables. */
import { framePad } from '../portable/drawing/frame-pad.ts';
import type { Frame, PlacedBox } from './arrangement.ts';
import { widthWithLabels } from './table-box.ts';

export type FrameText = Omit<Frame, 'x' | 'y' | 'width' | 'height'>;

/** The frame around tables. */
export function frameAround(text: FrameText, placedBoxes: readonly PlacedBox[]): Frame {
  const pad = framePad(text.titleSize);
  const left = Math.min(...placedBoxes.map(({ x }) => x)) - pad.side;
  const top = Math.min(...placedBoxes.map(({ y }) => y)) - pad.top;
  const right = Math.max(...placedBoxes.map(({ x, box }) => x + widthWithLabels(box))) + pad.side;
  const bottom = Math.max(...placedBoxes.map(({ y, box }) => y + box.height)) + pad.bottom;
  return { ...text, x: left, y: top, width: right - left, height: bottom - top };
}
