/** Why a file cannot be previewed. */
export const filePreviewTexts = {
  empty: ({ file }: { readonly file: string }) => `${file} is empty.`,
};

/** Why an archive cannot be unpacked. `entry` is a file in it. */
export const zipTexts = {
  notZip: ({ file }: { readonly file: string }) =>
    `${file} cannot be unpacked: it is not a zip archive, or it is incomplete.`,
  badDirectory: ({ file }: { readonly file: string }) =>
    `${file} cannot be unpacked: its directory is damaged or too large for a preview.`,
  encrypted: ({ file, entry }: { readonly file: string; readonly entry: string }) =>
    `${file} cannot be unpacked: ${entry} in it is encrypted.`,
  badOffset: ({ file, entry }: { readonly file: string; readonly entry: string }) =>
    `${file} cannot be unpacked: ${entry} is not at the offset that the directory gives.`,
  badMethod: ({ file, entry }: { readonly file: string; readonly entry: string }) =>
    `${file} cannot be unpacked: ${entry} in it has an unsupported compression method.`,
  damaged: ({ file, entry }: { readonly file: string; readonly entry: string }) =>
    `${file} cannot be unpacked: ${entry} in it is damaged.`,
};
