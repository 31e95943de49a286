import { readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { instantOf } from '../env.ts'
import { impossible } from '../errors.ts'
import { copyDatabase, damageOf } from '../storage/backup.ts'
import { checkFile } from '../storage/sqlite-file.ts'

/** Copies a database into a file, and checks the copy; it is there whole or not at all. Throws where it is damaged. */
export async function takeCopy(
  source: string,
  file: string,
  progress: (part: number) => void,
): Promise<{ readonly file: string; readonly bytes: number }> {
  const partial = `${file}.partial`
  await rm(partial, { force: true })
  try {
    await checkFile(source)
    await copyDatabase(source, partial, progress)
    const damage = damageOf(partial)
    if (damage !== null)
      throw impossible(`The copy is damaged (${damage}), and so may be the database itself.`)
    await rename(partial, file)
  } catch (cause) {
    await rm(partial, { force: true })
    throw cause
  }
  return { file, bytes: (await stat(file)).size }
}

const ownName = /^gatehouse-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}\.sqlite$/

/** The file of a folder in which a copy of a moment is kept; milliseconds since 1970. */
export const copyIn = (folder: string, now: number): string =>
  join(folder, `gatehouse-${instantOf(now).slice(0, 23).replaceAll(/[:.]/g, '-')}.sqlite`)

/** Removes the oldest copies of a folder, so that so many are left; files of other names are not touched. Their names. */
export async function removeOldCopies(folder: string, keep: number): Promise<string[]> {
  const copies = (await readdir(folder)).filter((name) => ownName.test(name)).sort()
  const old = copies.slice(0, Math.max(0, copies.length - keep))
  for (const name of old) await rm(join(folder, name), { force: true })
  return old
}
