interface TextFile {
  readonly name: string;
  readonly type: string;
  readonly text: string;
}

/** Downloads text as a file. */
export function saveText({ name, type, text }: TextFile): void {
  saveBlob(name, new Blob([text], { type }));
}

/** Downloads a file that the page has already. */
export function saveBlob(name: string, blob: Blob): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
