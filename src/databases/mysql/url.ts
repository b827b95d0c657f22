export function acceptsUrl(url: string): boolean {
  return /^(?:mysql|mariadb):\/\//i.test(url);
}
