const longest = 120;

/** Names that Windows keeps for devices, with any ending. */
const deviceName = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i;

/** Saves the body as a file, under a name that no file system takes for a path, a device or a hidden file. */
export function attachment(fileName: string): string {
  const name = safeName(fileName);
  const plain = name.replace(/[^\w. -]/g, '_');
  const parameter = `attachment; filename="${plain}"`;
  return plain === name ? parameter : `${parameter}; filename*=UTF-8''${encodeParameter(name)}`;
}

function safeName(fileName: string): string {
  // What file systems refuse, and what turns text around: control, format and separator characters.
  const characters = fileName.slice(0, longest).toWellFormed();
  const name = characters
    .replace(/[\p{C}\p{Zl}\p{Zp}/\\:*?"<>|]/gu, '_')
    .replace(/^[. ]+|[. ]+$/g, '');
  if (name === '') return 'file';
  return deviceName.test(name) ? `_${name}` : name;
}

/** RFC 8187 leaves out some characters that encodeURIComponent lets pass. */
function encodeParameter(text: string): string {
  return encodeURIComponent(text).replace(
    /['()*]/g,
    (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
