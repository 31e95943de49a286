import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Env } from '../env.ts'

/** Counts requests, and holds new ones while what answers them is replaced. */
interface Traffic {
  /** Lets a request through, at once or when nothing holds it any more. */
  pass(request: IncomingMessage, response: ServerResponse, answer: () => void): void
  /** Has new requests wait until the result is called. */
  hold(): () => void
  /** Resolves when everything that was let through is answered; what takes too long is cut off. */
  quiet(): Promise<void>
}

/** Requests of nodes below that last: who is cut off asks again. */
const lasting = /\/sync\/(changes|snapshot|live)\/?(\?|$)/

/** Streams to this machine's own screens, which go on whatever answers the other requests. */
const streams = /^\/api\/v1\/station\/live\/?(\?|$)/

/** What is not answered within so many milliseconds is cut off. */
const patience = 10_000

/** Makes such a thing. */
export function createTraffic(env: Env): Traffic {
  const open = new Set<ServerResponse>()
  const cuttable = new Set<ServerResponse>()
  let holding: Promise<void> | null = null
  let tellQuiet = (): void => {}

  function letThrough(request: IncomingMessage, response: ServerResponse, answer: () => void): void {
    const url = request.url ?? ''
    if (!streams.test(url)) {
      open.add(response)
      if (request.method === 'GET' && lasting.test(url)) cuttable.add(response)
      response.once('close', () => {
        open.delete(response)
        cuttable.delete(response)
        if (open.size === 0) tellQuiet()
      })
    }
    answer()
  }

  return {
    pass(request, response, answer) {
      if (holding === null) letThrough(request, response, answer)
      else
        void holding.then(() => {
          if (!response.destroyed) letThrough(request, response, answer)
        })
    },
    hold() {
      let letGo = (): void => {}
      holding = new Promise<void>((resolve) => {
        letGo = resolve
      })
      return () => {
        holding = null
        letGo()
      }
    },
    async quiet() {
      for (const response of cuttable) response.destroy()
      if (open.size === 0) return
      await new Promise<void>((resolve) => {
        const cancel = env.after(patience, () => {
          for (const response of open) response.destroy()
          resolve()
        })
        tellQuiet = () => {
          cancel()
          resolve()
        }
      })
      tellQuiet = () => {}
    },
  }
}
