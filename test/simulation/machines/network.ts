import inject from 'light-my-request'
import type { Chance } from '../plan/chance.ts'
import type { Timeline } from '../plan/timeline.ts'
import { portalPage, refusedOnTheWay } from '../wrong-answers.ts'
import type { Boot, Machine } from './machine.ts'
import { createPassage, type Passage } from './passage.ts'
import type { Weather } from './weather.ts'

/** What happened to a message, for the record. */
export type Mishap =
  | 'request lost'
  | 'response lost'
  | 'duplicated'
  | 'stuck'
  | 'cut'
  | 'captive'
  | 'refused on the way'

/** What a network connects, and whom it tells what happened. */
interface NetworkParts {
  readonly timeline: Timeline
  readonly chance: Chance
  readonly weather: Weather
  readonly machineAt: (host: string) => Machine | undefined
  readonly mishap: (kind: Mishap, from: string, to: string, path: string) => void
}

interface Asked {
  readonly method: string
  readonly url: URL
  readonly headers: Record<string, string>
  readonly body: Buffer | undefined
}

/** Milliseconds after which a system gives a connection up on which nothing comes. */
const givesUpAfter = 300_000

const unreachable = (why: string): TypeError => new TypeError('fetch failed', { cause: new Error(why) })

async function askedOf(input: Parameters<typeof fetch>[0], init: RequestInit = {}): Promise<Asked> {
  const url = new URL(input instanceof Request ? input.url : String(input))
  const headers = Object.fromEntries(new Headers(init.headers).entries())
  const { body } = init
  const bytes =
    body === undefined || body === null
      ? undefined
      : typeof body === 'string'
        ? Buffer.from(body)
        : Buffer.from(await new Response(body).arrayBuffer())
  return { method: init.method ?? 'GET', url, headers, body: bytes }
}

/** The network between machines: a `fetch` for each start of a program on one of them. */
export function createNetwork(parts: NetworkParts): (boot: Boot) => typeof fetch {
  const { timeline, weather } = parts
  const chances = new Map<string, Chance>()
  const chanceOf = (from: string, to: string): Chance => {
    const key = `${from}>${to}`
    const known = chances.get(key) ?? parts.chance.split(`link ${key}`)
    chances.set(key, known)
    return known
  }

  /** How long a message is on its way. */
  function delay(from: string, to: string, path: string): number {
    const chance = chanceOf(from, to)
    const { delayLeast, delayMean, stuck, stuckFor } = weather.between(from, to)
    const usual = delayLeast + chance.around(delayMean)
    if (!chance.happens(stuck)) return usual
    parts.mishap('stuck', from, to, path)
    return usual + chance.around(stuckFor)
  }

  /** Has a server answer, once more where a request was doubled on the way. */
  function serve(server: Boot, asked: Asked, passage: Passage | null): void {
    const { answer } = server
    if (!answer) {
      passage?.fail(unreachable('connection refused'))
      return
    }
    const hangUp = new AbortController()
    const { method, url, headers, body } = asked
    const lost = (): void => {
      passage?.drop()
      hangUp.abort()
    }
    server.onEnd.add(lost)
    // The server learns of it as of anything else, later.
    passage?.onHungUp((wayThere) =>
      timeline.after(wayThere, `${server.machine.name} is left`, () =>
        server.machine.as(server, () => hangUp.abort()),
      ),
    )
    const over = (): void => {
      server.onEnd.delete(lost)
    }
    inject(answer, {
      method,
      url: url.pathname + url.search,
      headers: { host: url.host, ...headers },
      ...(body === undefined ? {} : { payload: body }),
      payloadAsStream: true,
      signal: hangUp.signal,
    }).then(
      (response) => {
        const stream = response.stream()
        stream.on('error', () => {
          over()
          passage?.drop()
        })
        stream.on('end', over)
        if (passage) passage.answer(response.statusCode, response.headers, stream)
        else stream.resume()
      },
      () => {
        over()
        passage?.drop()
      },
    )
  }

  function send(client: Boot, asked: Asked, passage: Passage): void {
    const from = client.machine.name
    const target = parts.machineAt(asked.url.host)
    const path = asked.url.pathname
    if (!target) {
      passage.fail(unreachable('unknown host'))
      return
    }
    const to = target.name
    const chance = chanceOf(from, to)
    const conditions = weather.between(from, to)
    const wayThere = delay(from, to, path)
    if (weather.isCut(from, to) || chance.happens(conditions.loss)) {
      parts.mishap('request lost', from, to, path)
      return
    }
    if (chance.happens(conditions.captive)) {
      parts.mishap('captive', from, to, path)
      return void timeline.after(wayThere, `${from} portal`, () => passage.give(portalPage()))
    }
    const ours = chance.happens(conditions.ownError)
    if (ours || chance.happens(conditions.proxyError)) {
      parts.mishap('refused on the way', from, to, path)
      const answer = refusedOnTheWay(chance, ours)
      return void timeline.after(wayThere, `${from} refused`, () => passage.give(answer))
    }
    const arrive = (hears: Passage | null) => (): void => {
      const { boot } = target
      if (boot) target.as(boot, () => serve(boot, asked, hears))
      else hears?.fail(unreachable('connection refused'))
    }
    timeline.after(wayThere, `${from}>${to} ${asked.method} ${path}`, arrive(passage))
    if (!chance.happens(conditions.duplicate)) return
    parts.mishap('duplicated', from, to, path)
    timeline.after(wayThere + chance.around(500), `${from}>${to} again ${path}`, arrive(null))
  }

  return (client) => async (input, init) => {
    const asked = await askedOf(input, init)
    const from = client.machine.name
    const to = parts.machineAt(asked.url.host)?.name ?? '?'
    const passage = createPassage({
      timeline,
      client,
      from,
      to,
      path: asked.url.pathname,
      chance: chanceOf(to, from),
      weather,
      delay: () => delay(to, from, asked.url.pathname),
      wayThere: () => delay(from, to, asked.url.pathname),
      mishap: (kind) => parts.mishap(kind, from, to, asked.url.pathname),
      signal: init?.signal ?? null,
      givesUpAfter,
    })
    send(client, asked, passage)
    return passage.response
  }
}
