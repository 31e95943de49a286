import { type Env, realEnv } from '../../../server/env.ts'

/** A network that a test can break. */
export interface FaultyNetwork {
  readonly env: Env
  /** Nobody can be reached. */
  down: boolean
  /** Answers in the place of the server for what this does not answer undefined. */
  instead: (url: URL, init: RequestInit | undefined) => Response | undefined
  /** Changes an answer on its way. */
  spoil: (url: URL, answer: Response) => Response
  /** How often each path was asked for. */
  readonly asked: Map<string, number>
}

/** Makes such a network; at first it works. */
export function faultyNetwork(base: Env = realEnv): FaultyNetwork {
  const network: FaultyNetwork = {
    down: false,
    instead: () => undefined,
    spoil: (_, answer) => answer,
    asked: new Map(),
    env: {
      ...base,
      async fetch(input, init) {
        const url = new URL(String(input))
        network.asked.set(url.pathname, (network.asked.get(url.pathname) ?? 0) + 1)
        if (network.down) throw new TypeError('fetch failed', { cause: new Error('The network is down.') })
        const other = network.instead(url, init)
        if (other) return other
        const answer = await base.fetch(input, init)
        if (network.down) {
          await answer.body?.cancel()
          throw new TypeError('fetch failed', { cause: new Error('The network is down.') })
        }
        return network.spoil(url, answer)
      },
    },
  }
  return network
}

/** An answer whose body breaks off after some bytes. */
export function cutAfter(answer: Response, bytes: number): Response {
  let left = bytes
  const body = answer.body?.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        if (chunk.length >= left) {
          controller.enqueue(chunk.slice(0, left))
          controller.error(new Error('Cut off.'))
        } else controller.enqueue(chunk)
        left -= chunk.length
      },
    }),
  )
  return new Response(body, { status: answer.status, headers: answer.headers })
}
