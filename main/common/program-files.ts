import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Environment } from '../../schema/data-folder.ts'

// Sources run as .ts files, the packaged program as the .js files made from them.
const EXTENSION = import.meta.url.endsWith('.ts') ? '.ts' : '.js'

/** How the program is started, for sentences to people. */
export const START_COMMAND = EXTENSION === '.ts' ? 'npm start --' : 'gatehouse-station'

function at(path: string): string {
  return fileURLToPath(new URL(`../../${path}`, import.meta.url))
}

/** The folder that holds `main`, `server` and `renderer`. */
export const PROGRAM_FOLDER = at('')

/** The server's command line. */
export const SERVER_SCRIPT = at(`server/cli${EXTENSION}`)

/** Electron's entry. */
export const ELECTRON_ENTRY = at(`main/index${EXTENSION}`)

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
