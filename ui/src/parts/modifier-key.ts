/** Apple keyboards have ⌘ where others have Ctrl. `userAgentData` is missing in Firefox and Safari. */
const isApple = /mac|iphone|ipad/i.test(navigator.platform);

export const modifierKey = isApple ? '⌘' : 'Ctrl';

/** A shortcut as menus write it: `⌘C`, or `Ctrl+C`. */
export function shortcutText(key: string): string {
  return isApple ? `⌘${key}` : `Ctrl+${key}`;
}
