/** Characters that file systems do not accept, and `%`, which encodes them. */
const reserved = /[\p{Cc}<>:"/\\|?*%]|[. ]$|^[. ]/gu;
/** Names that Windows reserves for devices, with any extension. */
const device = /^(?:con|prn|aux|nul|com\d|lpt\d)(?=$|\.)/i;
const maxBytes = 200;

/** Names for the files of tables: percent-encoded where necessary, numbered where names differ in case only. */
export function createFileNamer(): (table: string) => string {
  const usedNames = new Set<string>();
  return (table) => {
    const name = shorten(fileName(table));
    let numbered = name;
    for (let number = 2; usedNames.has(normalize(numbered)); number++)
      numbered = `${name} (${number})`;
    usedNames.add(normalize(numbered));
    return numbered;
  };
}

function fileName(table: string): string {
  const name = table.toWellFormed().replaceAll(reserved, percentEncode);
  return device.test(name) ? percentEncode(name.charAt(0)) + name.slice(1) : name;
}

/** `encodeURIComponent` leaves some of these characters as they are. */
function percentEncode(character: string): string {
  return Array.from(
    Buffer.from(character),
    (byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`,
  ).join('');
}

/** File systems limit a name to 255 bytes, which must include the extension and a number. */
function shorten(name: string): string {
  let short = name;
  while (Buffer.byteLength(short) > maxBytes) short = Array.from(short).slice(0, -1).join('');
  return short === '' ? '%' : short;
}

function normalize(name: string): string {
  return name.normalize('NFC').toLowerCase();
}
