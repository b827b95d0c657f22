interface TextFile {
  readonly name: string;
  readonly type: string;
  readonly text: string;
}

/** Downloads text as a file. */
export function saveText({ name, type, text }: TextFile): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
