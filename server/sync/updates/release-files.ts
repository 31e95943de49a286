import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { appendFile, mkdir, open, readdir, rename, rm, stat, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import type { ReleaseFile } from '../../../schema/updates/release.ts'
import type { Env } from '../../env.ts'
import { partSize, type ReleaseSource } from './release-source.ts'

/** Files of releases that are kept here, each of them whole and what was signed. */
export interface ReleaseFiles {
  /** Where a file lies; null where it is not here whole. */
  find(file: ReleaseFile): Promise<string | null>
  /** Bytes of a file that are still to be fetched. */
  left(file: ReleaseFile): Promise<number>
  /** Fetches a file that is not here, on from where that was broken off; where it lies. */
  provide(file: ReleaseFile, progress?: (done: number) => void): Promise<string>
  /** Removes all others. */
  keep(files: readonly ReleaseFile[]): Promise<void>
}

/** What is fetched takes no more than this of a line that scans use as well; bytes in a second. */
const usualSpeed = 2 * partSize

interface FilesParts {
  readonly env: Env
  readonly folder: string
  readonly source: ReleaseSource
  /** Bytes in a second, where not the usual. */
  readonly speed?: number
}

const sizeOf = (file: string): Promise<number | null> =>
  stat(file).then(
    ({ size }) => size,
    () => null,
  )

async function sha256Of(file: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const part of createReadStream(file)) hash.update(part)
  return hash.digest('hex')
}

const settle = async (file: string): Promise<void> => {
  const opened = await open(file, 'r+')
  try {
    await opened.sync()
  } finally {
    await opened.close()
  }
}

/** Opens such a folder; it is made with the first file. */
export function openReleaseFiles({ env, folder, source, speed = usualSpeed }: FilesParts): ReleaseFiles {
  const coming = new Map<string, Promise<string>>()
  const pause = (milliseconds: number): Promise<void> =>
    new Promise((resolve) => void env.after(milliseconds, resolve))

  async function fetchAll(file: ReleaseFile, progress: (done: number) => void): Promise<string> {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const target = join(folder, file.sha256)
    const draft = `${target}.part`
    let done = (await sizeOf(draft)) ?? 0
    if (done > file.size) {
      await truncate(draft, 0)
      done = 0
    }
    progress(done)
    while (done < file.size) {
      const begun = env.elapsed()
      const part = await source.part(file, done)
      if (part.length === 0) throw new Error(`${file.name} is shorter than was signed.`)
      await appendFile(draft, part.subarray(0, file.size - done), { mode: 0o600 })
      done = Math.min(file.size, done + part.length)
      progress(done)
      const rest = (part.length / speed) * 1000 - (env.elapsed() - begun)
      if (done < file.size && rest > 0) await pause(rest)
    }
    await settle(draft)
    if ((await sha256Of(draft)) !== file.sha256) {
      // From its beginning, the next time: nobody knows which part of it is wrong.
      await rm(draft, { force: true })
      throw new Error(`${file.name} is not what was signed.`)
    }
    await rename(draft, target)
    return target
  }

  const find = async (file: ReleaseFile): Promise<string | null> => {
    const target = join(folder, file.sha256)
    return (await sizeOf(target)) === file.size ? target : null
  }

  return {
    find,
    async left(file) {
      if ((await find(file)) !== null) return 0
      return Math.max(0, file.size - ((await sizeOf(join(folder, `${file.sha256}.part`))) ?? 0))
    },
    async provide(file, progress = () => undefined) {
      const found = await find(file)
      if (found !== null) return found
      const begun = coming.get(file.sha256) ?? fetchAll(file, progress)
      coming.set(file.sha256, begun)
      try {
        return await begun
      } finally {
        coming.delete(file.sha256)
      }
    },
    async keep(files) {
      const kept = new Set(files.flatMap(({ sha256 }) => [sha256, `${sha256}.part`]))
      for (const name of await readdir(folder).catch(() => []))
        if (!kept.has(name)) await rm(join(folder, name), { force: true })
    },
  }
}
