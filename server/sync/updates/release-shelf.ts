import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import type { ReleaseFile, ReleaseList } from '../../../schema/updates/release.ts'
import { readSignedList } from '../../../schema/updates/signed-list.ts'
import { updatesIn } from '../../../schema/updates/update-files.ts'
import type { ListTrouble } from '../../../schema/updates/update-status.ts'
import { listTrouble } from '../../domain/updates/offered-release.ts'
import type { Env } from '../../env.ts'
import type { Log } from '../../log.ts'
import { isDiskFull } from '../../storage/database.ts'
import { openReleaseFiles, type ReleaseFiles } from './release-files.ts'
import type { ReleaseSource } from './release-source.ts'

/** A list that may be gone by, as it was published and as it is read. */
export interface AcceptedList {
  readonly text: string
  readonly list: ReleaseList
}

/** The updates that a server knows of: for itself, and for all below it. */
export interface ReleaseShelf {
  readonly files: ReleaseFiles
  /** The newest list, asked for anew where that is due or `now`; null where there is none to go by. */
  list(now?: boolean): Promise<AcceptedList | null>
  /** A file that the list names; undefined for any other. */
  named(sha256: string): Promise<ReleaseFile | undefined>
  /** Why there is no list to go by, while that is so. */
  readonly trouble: ListTrouble | null
}

/** All files that a list names. */
export const filesOf = ({ releases }: ReleaseList): readonly ReleaseFile[] =>
  releases.flatMap(({ builds }) =>
    Object.values(builds).flatMap(({ contents, archive }) => [contents, archive]),
  )

/** What a shelf needs. */
export interface ShelfParts {
  readonly env: Env
  readonly log: Log
  /** The data folder. */
  readonly folder: string
  readonly keys: readonly string[]
  readonly source: ReleaseSource
  /** Milliseconds since 1970, as well as is known. */
  readonly now: () => number
  /** See openReleaseFiles. */
  readonly speed?: number
}

/** How often is asked for a new list; milliseconds. */
const askEvery = 10 * 60_000

async function storedList(folder: string, keys: readonly string[]): Promise<AcceptedList | null> {
  const text = await readFile(updatesIn(folder).list, 'utf8').catch(() => null)
  const list = text === null ? null : readSignedList(text, keys)
  return text !== null && list ? { text, list } : null
}

/** Is on the disk before it is gone by, so that no older one is ever accepted after it. */
async function storeList(folder: string, text: string): Promise<void> {
  const { folder: own, list } = updatesIn(folder)
  await mkdir(own, { recursive: true, mode: 0o700 })
  await writeFile(`${list}.new`, text, { mode: 0o600, flush: true })
  await rename(`${list}.new`, list)
}

/** Opens it: what was accepted before is known at once. */
export function openReleaseShelf({ env, log, folder, keys, source, now, speed }: ShelfParts): ReleaseShelf {
  const files = openReleaseFiles({
    env,
    folder: updatesIn(folder).files,
    source,
    ...(speed === undefined ? {} : { speed }),
  })
  let asking: Promise<AcceptedList | null> | null = null
  let askedAt = Number.NEGATIVE_INFINITY
  let trouble: ListTrouble | null = null

  function note(next: ListTrouble | null, detail: string): void {
    if (next !== null && next !== trouble) log.warn('updates not gone by', { trouble: next, detail })
    trouble = next
  }

  /** A full disk is no reason not to say what is offered: nothing is fetched or installed there, and it is asked anew. */
  async function store(text: string): Promise<void> {
    try {
      await storeList(folder, text)
    } catch (cause) {
      if (!isDiskFull(cause)) throw cause
      log.warn('list of updates not stored', { why: String(cause) })
      askedAt = Number.NEGATIVE_INFINITY
    }
  }

  async function look(): Promise<AcceptedList | null> {
    const before = await storedList(folder, keys)
    const seen = before?.list.sequence ?? 0
    let text: string | null
    try {
      text = await source.list()
    } catch (cause) {
      note('unreachable', String(cause))
      // What was accepted before is good for as long as it is.
      return before && listTrouble(before.list, { now: now(), seen }) === null ? before : null
    }
    if (text === null) {
      note(null, '')
      return null
    }
    const list = readSignedList(text, keys)
    const wrong = list ? listTrouble(list, { now: now(), seen }) : 'signature'
    note(wrong, `List ${list?.sequence ?? '?'} after ${seen}.`)
    if (!list || wrong !== null) return null
    if (list.sequence > seen) await store(text)
    return { text, list }
  }

  return {
    files,
    get trouble() {
      return trouble
    },
    async list(isNow = false) {
      if (asking === null || isNow || env.elapsed() - askedAt >= askEvery || trouble === 'unreachable') {
        askedAt = env.elapsed()
        asking = look().catch((cause: unknown) => {
          log.warn('updates not looked for', { why: String(cause) })
          return null
        })
      }
      return asking
    },
    async named(sha256) {
      const accepted = await this.list()
      return accepted ? filesOf(accepted.list).find((file) => file.sha256 === sha256) : undefined
    },
  }
}

/** The keys that this program goes by. */
export async function ownKeys(): Promise<readonly string[]> {
  const text = await readFile(new URL('../../../schema/updates/keys.json', import.meta.url), 'utf8')
  const { keys }: { readonly keys: readonly string[] } = JSON.parse(text)
  return keys
}
