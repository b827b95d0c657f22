export function acceptsUrl(url: string): boolean {
  return /^postgres(?:ql)?:\/\//i.test(url);
}
