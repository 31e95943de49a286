import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Ask } from './exchange.ts'

/** A request that the reference was asked, in its own terms, and what it answered. */
export interface Call {
  readonly method: string
  readonly path: string
  readonly body?: unknown
  readonly authorization?: string
  readonly status: number
  readonly answer: unknown
  /** Whether it is a part of the sequence; otherwise it took something back. */
  readonly isAsked: boolean
}

/** A sequence of requests with the answers of the reference. */
export interface Recording {
  readonly subject: string
  readonly slug: string
  /** When it began, in milliseconds since 1970. */
  readonly at: number
  readonly calls: readonly Call[]
}

/** Where a recording lies. */
export const recorded = (name: string): string =>
  fileURLToPath(new URL(`./recorded/${name}`, import.meta.url))

/** Reads a recording: what it is in the first line, then a request in each. */
export function readRecording(name: string): Recording {
  const [head = '{}', ...calls] = readFileSync(recorded(name), 'utf8').trimEnd().split('\n')
  return { ...JSON.parse(head), calls: calls.map((line) => JSON.parse(line)) }
}

/** Answers as the reference did: each request with the next recorded answer to it. */
export function playing({ calls }: Recording): Ask {
  let next = 0
  return async (method, path) => {
    const found = calls.findIndex((one, index) => index >= next && one.method === method && one.path === path)
    const call = calls[found]
    if (!call) throw new Error(`not recorded: ${method} ${path}`)
    next = found + 1
    return { status: call.status, body: call.answer }
  }
}
