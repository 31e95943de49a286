import { createGunzip } from 'node:zlib'
import type { Context } from 'koa'
import { fileBody, kibibyte, mebibyte, smallBody } from '../../schema/body-limits.ts'
import type { Env } from '../env.ts'
import { impossible, Refusal } from '../errors.ts'
import type { BodyReader, WantedBody } from '../resource/api.ts'
import { hashToken } from '../services/codes/secrets.ts'
import { readJson } from './body.ts'
import { type ByteBounds, BytesInFlight } from './bytes-in-flight.ts'
import { addressKey } from './rate-limits.ts'

/** From callers without a credential, who are counted by their address. */
const fromAnybody: ByteBounds = { each: mebibyte, all: 16 * mebibyte }

/**
 * From callers with a credential, by the largest body that is expected of them: what is small, and scans are, never
 * waits for what is large.
 */
const byLimit: readonly (readonly [upTo: number, bounds: ByteBounds])[] = [
  [smallBody, { each: 4 * mebibyte, all: 32 * mebibyte }],
  [fileBody, { each: 24 * mebibyte, all: 96 * mebibyte }],
  [Number.POSITIVE_INFINITY, { each: 80 * mebibyte, all: 80 * mebibyte }],
]

/** A body has so many milliseconds, and more for what has come of it: a line that gives so many bytes in each. */
const grace = 20_000
const slowest = (4 * kibibyte) / 1000

const again = { 'Retry-After': '2' }

const shownSize = (bytes: number): string =>
  bytes >= mebibyte ? `${bytes / mebibyte} MiB` : `${bytes / kibibyte} KiB`

const tooLarge = (limit: number): Refusal =>
  new Refusal(413, { detail: `The body of the request is larger than ${shownSize(limit)}.` })

/** The rest of a body that is not waited for any more would be taken for the next request. */
const notWhole = (detail: string): Refusal => new Refusal(408, { detail }, { Connection: 'close' })

const stalled = (): Refusal => notWhole('The body of the request came too slowly. Send it again.')

const cutOff = (): Refusal => notWhole('The body of the request was cut off. Send it again.')

const noRoom: Readonly<Record<keyof ByteBounds, () => Refusal>> = {
  each: () =>
    new Refusal(
      429,
      { detail: 'Too much is being received from you at once. Try again in two seconds.' },
      again,
    ),
  all: () =>
    new Refusal(503, { detail: 'This server receives too much at once. Try again in two seconds.' }, again),
}

/** Makes room for more bytes of a request, until it is answered; says why there is none. */
type MakeRoom = (bytes: number) => Refusal | null

/** The bytes of a body as they come, within its limit and time. */
const received = ({ req, request }: Context, limit: number, makeRoom: MakeRoom, env: Env): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    if ((request.length ?? 0) > limit) return reject(tooLarge(limit))
    if (req.destroyed) return reject(cutOff())
    const parts: Buffer[] = []
    const began = env.elapsed()
    let size = 0
    let cancel = (): void => {}
    const stop = (): void => {
      cancel()
      req.off('data', take).off('end', end).off('error', fail).off('close', fail)
    }
    const refuse = (refusal: Refusal): void => {
      stop()
      req.on('error', () => {})
      req.pause()
      reject(refusal)
    }
    const fail = (): void => refuse(cutOff())
    const take = (part: Buffer): void => {
      size += part.length
      const refusal = size > limit ? tooLarge(limit) : makeRoom(part.length)
      if (refusal) refuse(refusal)
      else parts.push(part)
    }
    const end = (): void => {
      stop()
      resolve(parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts))
    }
    const watch = (): void => {
      const left = began + grace + size / slowest - env.elapsed()
      if (left <= 0) refuse(stalled())
      else cancel = env.after(left, watch)
    }
    req.on('data', take).on('end', end).on('error', fail).on('close', fail)
    watch()
  })

/** What packed bytes say, measured while they are unpacked. */
async function unpacked(bytes: Buffer, limit: number, makeRoom: MakeRoom): Promise<Buffer> {
  const unpacking = createGunzip({ chunkSize: smallBody })
  unpacking.end(bytes)
  const parts: Buffer[] = []
  let size = 0
  try {
    for await (const part of unpacking) {
      size += part.length
      const refusal = size > limit ? tooLarge(limit) : makeRoom(part.length)
      if (refusal) throw refusal
      parts.push(part)
    }
  } catch (cause) {
    throw cause instanceof Refusal ? cause : impossible('The body of the request is not packed as it says.')
  }
  return Buffer.concat(parts)
}

/** Receives the bodies of requests: as much as is declared, in time, and not more at once than memory has room for. */
export function createBodyReader(env: Env): BodyReader {
  const anybody = new BytesInFlight(fromAnybody)
  const known = byLimit.map(([upTo, bounds]) => [upTo, new BytesInFlight(bounds)] as const)

  const roomFor = (ctx: Context, { limit, from }: WantedBody): MakeRoom => {
    const isKnown = from === 'credential'
    const caller = isKnown ? hashToken(ctx.get('Authorization')) : addressKey(ctx.ip)
    const flight = (isKnown && known.find(([upTo]) => limit <= upTo)?.[1]) || anybody
    let held = 0
    let isOver = false
    ctx.res.once('close', () => {
      isOver = true
      flight.giveBack(caller, held)
    })
    return (bytes) => {
      if (isOver) return cutOff()
      const outcome = flight.take(caller, bytes)
      if (outcome !== 'taken') return noRoom[outcome]()
      held += bytes
      return null
    }
  }

  async function bytes(ctx: Context, wanted: WantedBody): Promise<Buffer> {
    const limit = wanted.from === 'credential' ? wanted.limit : Math.min(wanted.limit, smallBody)
    return received(ctx, limit, roomFor(ctx, wanted), env)
  }

  return {
    bytes,
    json: async (ctx, wanted) => readJson(ctx, await bytes(ctx, wanted), wanted),
    async unpacked(ctx, wanted) {
      const packing = ctx.get('Content-Encoding').toLowerCase()
      if (packing !== '' && packing !== 'identity' && packing !== 'gzip')
        throw new Refusal(415, { detail: `Unsupported content encoding "${packing}". Send gzip or none.` })
      const makeRoom = roomFor(ctx, wanted)
      const whole = await received(ctx, wanted.limit, makeRoom, env)
      return packing === 'gzip' ? unpacked(whole, wanted.limit, makeRoom) : whole
    },
  }
}
