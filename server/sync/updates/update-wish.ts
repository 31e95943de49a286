import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { updatesIn } from '../../../schema/updates/update-files.ts'
import type { UpdateFacts } from '../../domain/updates/may-install.ts'

/** What somebody at a station has said about when it is updated. */
type Wish = UpdateFacts['wish']

const fileIn = (folder: string): string => join(updatesIn(folder).folder, 'not-before')

/** Until when it was put off, if it was; outlives the program. */
export async function readWish(folder: string): Promise<Wish> {
  const notBefore = Number(await readFile(fileIn(folder), 'utf8').catch(() => '0'))
  return notBefore > 0 ? { notBefore } : null
}

/** Puts it off until a moment in milliseconds since 1970, or no longer. */
export async function saveWish(folder: string, notBefore: number | null): Promise<void> {
  if (notBefore === null) return rm(fileIn(folder), { force: true })
  await mkdir(updatesIn(folder).folder, { recursive: true, mode: 0o700 })
  await writeFile(fileIn(folder), String(notBefore), { mode: 0o600 })
}
