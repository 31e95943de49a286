import type { Loading } from '../../../schema/station-link.ts'
import type { SnapshotHead } from '../../../schema/sync.ts'
import type { Env } from '../../env.ts'
import type { Log } from '../../log.ts'
import { reasonOf, type Trouble, type UpstreamClient } from '../upstream/upstream-client.ts'
import type { LoadProgress, SnapshotLoad } from './load-snapshot.ts'
import { Mangled } from './snapshot-lines.ts'

/** What fetching a snapshot needs. */
interface DownloadParts {
  readonly env: Env
  readonly log: Log
  readonly client: UpstreamClient
  readonly load: SnapshotLoad
  readonly signal: AbortSignal
  readonly progress: (loading: Loading) => void
  /** Hears why it does not go on, or null once it does. */
  readonly problem: (trouble: Trouble | null) => void
}

/** Thrown when going on makes no sense: this device is not admitted any more, or the upstream server began anew. */
class DownloadOver extends Error {
  readonly trouble: Trouble

  constructor(trouble: Trouble) {
    super(trouble.detail)
    this.trouble = trouble
  }
}

/** Without a byte for so long an answer is cut off; milliseconds. Counting the rows comes before the first one. */
const silence = 60_000

const longestPause = 10_000

/**
 * Fetches a snapshot into a copy and goes on where it was cut off, for as long as it takes. The first head: from where
 * changes are to be followed.
 */
export async function downloadSnapshot(parts: DownloadParts): Promise<SnapshotHead> {
  const { env, log, client, load, signal } = parts
  const started = env.elapsed()
  let state: LoadProgress = { rows: 0, total: 0, after: null, head: null, complete: false }
  parts.progress({ phase: 'counting', rows: 0, total: 0, seconds_left: null })

  function show(): void {
    const { rows, total } = state
    const took = (env.elapsed() - started) / 1000
    const speed = rows / Math.max(took, 0.001)
    const seconds_left = speed > 0 && took > 0.5 ? Math.ceil((total - rows) / speed) : null
    parts.progress({ phase: 'loading', rows, total, seconds_left })
  }

  async function take(chunk: Uint8Array): Promise<void> {
    try {
      state = await load.feed(chunk)
      show()
    } catch (cause) {
      throw cause instanceof Mangled ? cause : new CannotStore('', { cause })
    }
  }

  /** Reads one answer; why it ended early, or null. */
  async function read(): Promise<Trouble | null> {
    const { after: row, head } = state
    const after =
      row === null || head === null
        ? ''
        : `?after=${encodeURIComponent(row)}&cursor=${encodeURIComponent(head.cursor)}`
    const answer = await client.stream(`sync/snapshot/${after}`, { within: silence, signal })
    if (answer.kind !== 'ok') return answer
    const taking = gather(take)
    try {
      try {
        for await (const chunk of answer.chunks) await taking.add(chunk)
      } finally {
        // What came before a cut is good.
        await taking.end()
      }
      return state.complete ? null : { kind: 'unreachable', detail: 'The snapshot was cut off.' }
    } catch (cause) {
      if (cause instanceof Mangled) return { kind: 'stranger', detail: cause.message }
      if (cause instanceof CannotStore) throw cause.cause
      return { kind: 'unreachable', detail: reasonOf(cause) }
    }
  }

  for (let failures = 0; ; ) {
    signal.throwIfAborted()
    const reached = state.rows
    const trouble = await read()
    if (trouble === null && state.head) {
      parts.problem(null)
      return state.head
    }
    signal.throwIfAborted()
    if (trouble && ['revoked', 'unknown', 'denied', 'gone', 'refused'].includes(trouble.kind))
      throw new DownloadOver(trouble)
    parts.problem(trouble)
    log.warn('snapshot interrupted', { after: state.after, rows: state.rows, why: trouble?.detail })
    await load.restart()
    failures = state.rows > reached ? 0 : failures + 1
    // What cannot be read again and again is not the network's fault.
    if (failures > 8 && trouble?.kind === 'stranger') throw new DownloadOver(trouble)
    const asked = trouble && 'retryAfter' in trouble ? (trouble.retryAfter ?? 0) : 0
    await pause(env, Math.max(asked, Math.min(longestPause, 250 * 2 ** failures)), signal)
  }
}

/** So many bytes are taken together: small pieces cost as much as large ones. */
const bytesTogether = 256 * 1024

/**
 * Gathers pieces, and has them taken together while the next ones arrive. What taking throws, `add` or `end` throws.
 */
function gather(take: (bytes: Uint8Array) => Promise<void>): {
  add(piece: Uint8Array): Promise<void>
  end(): Promise<void>
} {
  let pieces: Uint8Array[] = []
  let size = 0
  let taking: Promise<void> = Promise.resolve()

  async function takeGathered(): Promise<void> {
    await taking
    if (size === 0) return
    const bytes = new Uint8Array(size)
    let at = 0
    for (const piece of pieces) {
      bytes.set(piece, at)
      at += piece.length
    }
    pieces = []
    size = 0
    taking = take(bytes)
    // Thrown where it is waited for.
    taking.catch(() => undefined)
  }

  return {
    async add(piece) {
      pieces.push(piece)
      size += piece.length
      if (size >= bytesTogether) await takeGathered()
    },
    async end() {
      await takeGathered()
      await taking
    },
  }
}

/** What arrived cannot be stored: that is not the network's fault, and trying again does not help. */
class CannotStore extends Error {}

/** Waits some milliseconds, or until the signal. */
export const pause = (env: Env, milliseconds: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) return resolve()
    const end = (): void => {
      cancel()
      signal.removeEventListener('abort', end)
      resolve()
    }
    const cancel = env.after(milliseconds, end)
    signal.addEventListener('abort', end)
  })
