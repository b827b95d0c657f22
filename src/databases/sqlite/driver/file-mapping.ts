import { realpathSync, statfsSync } from 'node:fs';

/**
 * `f_type` of file systems whose files other machines or other programs can change without this kernel
 * noticing, as statfs(2) lists them.
 */
const unfitFileSystems: ReadonlySet<number> = new Set([
  0x6969, // NFS
  0x517b, // SMB
  0xff534d42, // CIFS
  0xfe534d42, // SMB2
  0x65735546, // FUSE
  0x01021997, // 9P
  0x786f4256, // VirtualBox shared folder
  0x5346414f, // AFS
  0x6b414653, // kAFS
  0x00c36400, // Ceph
  0x73757245, // Coda
  0x01161970, // GFS2
  0x7461636f, // OCFS2
  0x0bd00bd0, // Lustre
  0x47504653, // GPFS
]);

/**
 * Whether a file can be mapped into memory. Linux reports the type of the file system; macOS does not
 * reliably, but mounts those of the network below /Volumes. On Windows nothing can truncate a mapped
 * file, so VACUUM of other programs would leave it at its size.
 */
export function canMapFile(path: string, platform = process.platform): boolean {
  try {
    if (platform === 'linux') return !unfitFileSystems.has(statfsSync(path).type >>> 0);
    return platform === 'darwin' && !realpathSync(path).startsWith('/Volumes/');
  } catch {
    return false;
  }
}
