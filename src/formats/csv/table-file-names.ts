/** What file systems take for something else, and `%`, so that names can be told apart. */
const unfit = /[\p{Cc}<>:"/\\|?*%]|[. ]$|^[. ]/gu;
/** Names that Windows keeps for devices, whatever the ending. */
const device = /^(?:con|prn|aux|nul|com\d|lpt\d)(?=$|\.)/i;
const longestBytes = 200;

/** Names for the files of tables: percent-encoded where they must be, numbered where only case would tell them apart. */
export function tableFileNames(): (table: string) => string {
  const taken = new Set<string>();
  return (table) => {
    const name = shortened(fileName(table));
    let numbered = name;
    for (let number = 2; taken.has(folded(numbered)); number++) numbered = `${name} (${number})`;
    taken.add(folded(numbered));
    return numbered;
  };
}

function fileName(table: string): string {
  const name = table.toWellFormed().replaceAll(unfit, percent);
  return device.test(name) ? percent(name.charAt(0)) + name.slice(1) : name;
}

/** Not all of them are encoded by `encodeURIComponent`. */
function percent(character: string): string {
  return Array.from(
    Buffer.from(character),
    (byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`,
  ).join('');
}

/** File systems have room for 255 bytes. */
function shortened(name: string): string {
  let short = name;
  while (Buffer.byteLength(short) > longestBytes) short = Array.from(short).slice(0, -1).join('');
  return short === '' ? '%' : short;
}

function folded(name: string): string {
  return name.normalize('NFC').toLowerCase();
}
