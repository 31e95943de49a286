import { mkdirSync } from 'node:fs'
import { START_COMMAND } from '../common/program-files.ts'

/** Makes the folder, readable by this user alone. Throws a sentence for the user when it cannot. */
export function makeDataFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new Error(
      `The data folder ${folder} cannot be made (${why}). Choose another: ${START_COMMAND} --data DIR`,
    )
  }
}
