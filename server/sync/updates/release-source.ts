import { open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ReleaseFile } from '../../../schema/updates/release.ts'
import type { Env } from '../../env.ts'
import { timeLimit, type UpstreamClient } from '../upstream/upstream-client.ts'

/** Where a server gets updates from. */
export interface ReleaseSource {
  /** The list as it was published; null where there is none. Throws where nobody answers. */
  list(): Promise<string | null>
  /** Some bytes of a file from one on, as many as are given at once; none where it has no more. */
  part(file: ReleaseFile, from: number): Promise<Uint8Array>
}

/** So many bytes are asked for at once: a connection that breaks loses no more. */
export const partSize = 1024 * 1024

const longestList = 4 * 1024 * 1024
const within = 30_000

/** A folder in which the list and its files lie. */
export const folderSource = (folder: string): ReleaseSource => ({
  list: () =>
    readFile(join(folder, 'list.json'), 'utf8').catch((cause: NodeJS.ErrnoException) => {
      if (cause.code === 'ENOENT') return null
      throw cause
    }),
  async part({ name }, from) {
    const file = await open(join(folder, name))
    try {
      const { bytesRead, buffer } = await file.read(Buffer.alloc(partSize), 0, partSize, from)
      return buffer.subarray(0, bytesRead)
    } finally {
      await file.close()
    }
  },
})

/** The bytes from one on of an answer, which may be all of the file. */
async function bytesFrom(answer: Response, from: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(await answer.arrayBuffer())
  return answer.status === 206 ? bytes : bytes.subarray(from)
}

const rangeOf = (file: ReleaseFile, from: number): string =>
  `bytes=${from}-${Math.min(file.size, from + partSize) - 1}`

/** A web server that has the list and its files below an address. */
export function addressSource(env: Env, address: string): ReleaseSource {
  const base = address.endsWith('/') ? address : `${address}/`
  const ask = async (name: string, headers: Record<string, string>): Promise<Response> => {
    const limit = timeLimit(env, { within })
    try {
      const answer = await env.fetch(base + name, { headers, redirect: 'follow', signal: limit.signal })
      if (!answer.ok && answer.status !== 404) throw new Error(`${name}: status ${answer.status}.`)
      return answer
    } finally {
      limit.end()
    }
  }
  return {
    async list() {
      const answer = await ask('list.json', {})
      return answer.status === 404 ? null : (await answer.text()).slice(0, longestList)
    },
    async part(file, from) {
      const answer = await ask(file.name, { Range: rangeOf(file, from) })
      if (answer.status === 404) throw new Error(`${file.name} is not there.`)
      return bytesFrom(answer, from)
    },
  }
}

/** The server upstream of this one, which is asked with this device's token. */
export function upstreamSource(env: Env, client: () => UpstreamClient | null): ReleaseSource {
  const ask = async (path: string, headers: Record<string, string>): Promise<Response> => {
    const asked = client()
    if (!asked) throw new Error('There is no upstream server.')
    const limit = timeLimit(env, { within })
    try {
      return await asked.ask(path, { headers, signal: limit.signal })
    } finally {
      limit.end()
    }
  }
  return {
    async list() {
      const answer = await ask('sync/updates/', {})
      if (answer.status === 404 || answer.status === 403) return null
      if (!answer.ok) throw new Error(`Status ${answer.status}.`)
      return (await answer.text()).slice(0, longestList)
    },
    async part(file, from) {
      const answer = await ask(`sync/updates/${file.sha256}/`, { Range: rangeOf(file, from) })
      // The server upstream fetches it itself at the moment.
      if (!answer.ok) throw new Error(`Status ${answer.status}.`)
      return bytesFrom(answer, from)
    },
  }
}
