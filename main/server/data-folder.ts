import { mkdirSync } from 'node:fs'

/** Makes the folder, readable by this user alone. Throws a sentence for the user when it cannot. */
export function makeDataFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new Error(
      `The data folder ${folder} cannot be made (${why}). Choose another: npm start -- --data DIR`,
    )
  }
}
