import { readdirSync, readFileSync } from 'node:fs'

// The server reads a few files that never change, such as its migrations: they are read once, and at once.

export * from 'node:fs/promises'

const folders = new Map<string, string[]>()
const files = new Map<string, Buffer>()

/** The names in a folder. */
export async function readdir(folder: URL | string): Promise<string[]> {
  const known = folders.get(String(folder)) ?? readdirSync(folder)
  folders.set(String(folder), known)
  return [...known]
}

/** What is in a file. */
export async function readFile(file: URL | string, encoding?: BufferEncoding): Promise<string | Buffer> {
  const known = files.get(String(file)) ?? readFileSync(file)
  files.set(String(file), known)
  return encoding === undefined ? known : known.toString(encoding)
}
