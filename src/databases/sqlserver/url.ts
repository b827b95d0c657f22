export function acceptsUrl(url: string): boolean {
  return /^(?:sqlserver|mssql):\/\//i.test(url);
}
