export function postgresQuoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

export function postgresQuoteText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
