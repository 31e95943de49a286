import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

const codeOf = (cause: unknown): unknown => (cause as { readonly code?: unknown }).code

/** Whether something is at a path. */
export const isThere = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  )

/**
 * Makes a folder for its owner alone, with its parents, unless it is there. Node's own way never ends where nothing
 * can be made in a folder that is there, such as `/proc`; this one throws what the system says.
 */
export async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { mode: 0o700 })
  } catch (cause) {
    if (codeOf(cause) === 'EEXIST' && (await stat(path)).isDirectory()) return
    const parent = dirname(path)
    if (codeOf(cause) !== 'ENOENT' || parent === path || (await isThere(parent))) throw cause
    await makeFolder(parent)
    await makeFolder(path)
  }
}
