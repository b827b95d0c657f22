/** Apple keyboards have ⌘ where others have Ctrl. `userAgentData` is missing in Firefox and Safari. */
const isApple = /mac|iphone|ipad/i.test(navigator.platform);

export const modifierKey = isApple ? '⌘' : 'Ctrl';

/** A shortcut as menus write it: `⌘C`, or `Ctrl+C`. */
export function shortcutText(key: string): string {
  return isApple ? `⌘${key}` : `Ctrl+${key}`;
}

/** The same with the Alt key: `⌥H`, or `Alt+H`. */
export function altShortcutText(key: string): string {
  return isApple ? `⌥${key}` : `Alt+${key}`;
}
