const maxLength = 120;

/** Names that Windows reserves for devices, with any extension. */
const deviceName = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i;

/** Returns a Content-Disposition with a file name that is not a path, a device or a hidden file on any system. */
export function attachment(fileName: string): string {
  const name = safeName(fileName);
  const asciiName = name.replace(/[^\w. -]/g, '_');
  const parameter = `attachment; filename="${asciiName}"`;
  return asciiName === name ? parameter : `${parameter}; filename*=UTF-8''${encodeParameter(name)}`;
}

function safeName(fileName: string): string {
  // Control, format and separator characters are invalid in file names or change the text direction.
  const characters = fileName.slice(0, maxLength).toWellFormed();
  const name = characters
    .replace(/[\p{C}\p{Zl}\p{Zp}/\\:*?"<>|]/gu, '_')
    .replace(/^[. ]+|[. ]+$/g, '');
  if (name === '') return 'file';
  return deviceName.test(name) ? `_${name}` : name;
}

/** RFC 8187 requires escapes for some characters that encodeURIComponent leaves unescaped. */
function encodeParameter(text: string): string {
  return encodeURIComponent(text).replace(
    /['()*]/g,
    (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
