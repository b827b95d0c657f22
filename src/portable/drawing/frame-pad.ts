/** The size of a namespace's name in a small diagram, in pixels. */
export const smallTitle = 12.5;

interface FramePad {
  readonly side: number;
  /** Includes the space of the name. */
  readonly top: number;
  readonly bottom: number;
}

/** Padding between the frame of a group and its tables. */
export function framePad(titleSize: number): FramePad {
  const side = Math.round(18 + (titleSize - smallTitle) / 3);
  return { side, top: Math.round(titleSize * 1.2) + 25, bottom: side };
}
