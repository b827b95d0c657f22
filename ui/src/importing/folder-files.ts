/** The files of a folder that the user selects or drops. */

const folderPaths = new WeakMap<File, string>();

/** The path of a file in its selected or dropped folder, or else its name. */
export function pathOf(file: File): string {
  return folderPaths.get(file) ?? (file.webkitRelativePath || file.name);
}

/** The Go files and go.mod files of a folder, as the go command finds them for `./...`, without tests. */
export function goSourcesOf(files: readonly File[]): readonly File[] {
  return files.filter((file) => {
    const [, ...parts] = pathOf(file).split('/');
    const isSkipped = parts.some((part) => /^(?:[._].*|vendor|testdata|node_modules)$/.test(part));
    const isSource = file.name.endsWith('.go') && !file.name.endsWith('_test.go');
    return !isSkipped && (isSource || file.name === 'go.mod');
  });
}

/** The folders that were dropped. Only available during the event. */
export function droppedFolders(data: DataTransfer | null): readonly FileSystemDirectoryEntry[] {
  return [...(data?.items ?? [])].flatMap((item) => {
    const entry = item.kind === 'file' ? item.webkitGetAsEntry() : null;
    return entry?.isDirectory === true ? [entry as FileSystemDirectoryEntry] : [];
  });
}

/** All files of a folder and its subfolders. */
export async function filesOfFolder(folder: FileSystemDirectoryEntry): Promise<readonly File[]> {
  const entries = await entriesOf(folder);
  const files = await Promise.all(
    entries.map((entry) =>
      entry.isDirectory
        ? filesOfFolder(entry as FileSystemDirectoryEntry)
        : fileOf(entry as FileSystemFileEntry),
    ),
  );
  return files.flat();
}

/** The browser returns the entries of a folder in batches. An empty batch is the last. */
async function entriesOf(folder: FileSystemDirectoryEntry): Promise<readonly FileSystemEntry[]> {
  const reader = folder.createReader();
  const entries: FileSystemEntry[] = [];
  for (;;) {
    const batch = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (batch.length === 0) return entries;
    entries.push(...batch);
  }
}

async function fileOf(entry: FileSystemFileEntry): Promise<readonly File[]> {
  const file = await new Promise<File>((resolve, reject) => entry.file(resolve, reject));
  folderPaths.set(file, entry.fullPath.replace(/^\//, ''));
  return [file];
}
