import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Environment } from '../../schema/data-folder.ts'

/**
 * The path of Electron's program, or null when it has not been downloaded. Looks at the files only: asking
 * the package itself would start the download.
 */
export function findElectron(programFolder: string, env: Environment): string | null {
  const folder = join(programFolder, 'node_modules', 'electron')
  const named = join(folder, 'path.txt')
  if (!existsSync(named)) return null
  const program = readFileSync(named, 'utf8').trim()
  const path = join(env.ELECTRON_OVERRIDE_DIST_PATH || join(folder, 'dist'), program)
  return program !== '' && existsSync(path) ? path : null
}
