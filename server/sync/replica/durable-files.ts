import { open } from 'node:fs/promises'

/** Has a file, or with `folder` the names in a folder, survive a power cut. */
export async function settleOnDisk(path: string, what: 'file' | 'folder' = 'file'): Promise<void> {
  // Windows cannot open folders, and needs no such thing.
  if (what === 'folder' && process.platform === 'win32') return
  const handle = await open(path, what === 'folder' ? 'r' : 'r+')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
