import { fileURLToPath } from 'node:url'

// Sources run as .ts files, the packaged program as the .js files made from them.
const EXTENSION = import.meta.url.endsWith('.ts') ? '.ts' : '.js'

function at(path: string): string {
  return fileURLToPath(new URL(`../../${path}`, import.meta.url))
}

/** Whether this program runs from its sources. */
export const FROM_SOURCES = EXTENSION === '.ts'

/** The folder that holds `main`, `server` and `renderer`. */
export const PROGRAM_FOLDER = at('')

/** The server's command line. */
export const SERVER_SCRIPT = at(`server/cli${EXTENSION}`)

/** Electron's entry. */
export const ELECTRON_ENTRY = at(`main/index${EXTENSION}`)
