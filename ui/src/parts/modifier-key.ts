import { keyTexts as keys } from '../texts/parts.ts';

/** Apple keyboards have ⌘ where others have Ctrl. `userAgentData` is missing in Firefox and Safari. */
export const isApple = /mac|iphone|ipad/i.test(navigator.platform);

export const modifierKey = isApple ? '⌘' : keys.ctrl;

/** A shortcut as menus write it: `⌘C`, or `Ctrl+C`. */
export function shortcutText(key: string): string {
  return isApple ? `⌘${key}` : `${keys.ctrl}+${key}`;
}

/** The same with the Alt key: `⌥H`, or `Alt+H`. */
export function altShortcutText(key: string): string {
  return isApple ? `⌥${key}` : `${keys.alt}+${key}`;
}

/** A key with the Shift key, also within the two above: `⇧F`, or `Shift+F`. */
export function withShift(key: string): string {
  return isApple ? `⇧${key}` : `${keys.shift}+${key}`;
}
