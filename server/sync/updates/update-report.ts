import { readFile } from 'node:fs/promises'
import { updatesIn } from '../../../schema/updates/update-files.ts'
import type { Env } from '../../env.ts'
import type { UpstreamClient } from '../upstream/upstream-client.ts'

/** What telling the upstream server needs. */
interface ReportParts {
  readonly env: Env
  readonly client: () => UpstreamClient | null
  readonly version: string
  /** The data folder. */
  readonly folder: string
}

const firstAfter = 5000
const lookEvery = 60_000

/** The update that did not work on a data folder, as it is told; null where all did. */
async function failureIn(folder: string): Promise<string | null> {
  try {
    const { failed } = JSON.parse(await readFile(updatesIn(folder).state, 'utf8'))
    return failed ? `${failed.version}: ${failed.reason}` : null
  } catch {
    return null
  }
}

/** Tells the upstream server which version runs here and which update did not work, as often as that is news. */
export function startUpdateReport({ env, client, version, folder }: ReportParts): () => void {
  let told: string | null = null
  let cancel = (): void => {}
  let isStopped = false

  async function tell(): Promise<void> {
    const failure = await failureIn(folder)
    const news = JSON.stringify({ version, failure })
    if (news === told) return
    const answer = await client()?.post('sync/updates/', { version, failure }, { within: 10_000 })
    // An answer without a body is no JSON, and one of an older server is that it knows no such thing.
    if (answer && answer.kind !== 'unreachable' && answer.kind !== 'timeout') told = news
  }

  function later(milliseconds: number): void {
    cancel = env.after(milliseconds, () => {
      void tell()
        .catch(() => undefined)
        .finally(() => {
          if (!isStopped) later(lookEvery)
        })
    })
  }

  later(firstAfter)
  return () => {
    isStopped = true
    cancel()
  }
}
