export function hexOf(base64: string): string {
  return Array.from(atob(base64), (letter) =>
    letter.charCodeAt(0).toString(16).padStart(2, '0'),
  ).join('');
}
