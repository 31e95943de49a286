import { createGunzip } from 'node:zlib'
import type { Context } from 'koa'
import { fileBody, kibibyte, mebibyte, rowBody, smallBody } from '../../schema/body-limits.ts'
import type { Env } from '../env.ts'
import { impossible, Refusal } from '../errors.ts'
import type { Actor } from '../resource/actor.ts'
import type { BodyReader, WantedBody } from '../resource/api.ts'
import { hashToken } from '../services/codes/secrets.ts'
import { readJson } from './body.ts'
import { type BodySender, type ByteBounds, BytesInFlight, LargeBodies } from './bytes-in-flight.ts'
import { addressKey } from './rate-limits.ts'

/** From callers without a credential, who are counted by their address. */
const fromAnybody: ByteBounds = { free: 0, each: mebibyte, together: mebibyte, all: 16 * mebibyte }

/** One scan at a time is always received. */
const scan = { free: smallBody }

/**
 * From callers with a credential, by the largest body that is expected of them: what is small, and scans are, never
 * waits for what is large.
 */
const byLimit: readonly (readonly [upTo: number, bounds: ByteBounds])[] = [
  [smallBody, { ...scan, each: 4 * mebibyte, together: 12 * mebibyte, all: 32 * mebibyte }],
  [fileBody, { ...scan, each: 24 * mebibyte, together: 48 * mebibyte, all: 96 * mebibyte }],
  [Number.POSITIVE_INFINITY, { ...scan, each: 80 * mebibyte, together: 80 * mebibyte, all: 80 * mebibyte }],
]

/** What is larger comes one at a time from each caller who shows a credential, as everybody waits while it is read. */
const largeFrom = rowBody

/** Milliseconds that a byte of a large body costs its caller; reports of stations have a pace of their own. */
const pace = { sent: 1000 / mebibyte, reported: 250 / mebibyte }

/** 24 MiB at once, and then what the pace allows. */
const largePace = { ahead: 24_000, patience: 10_000, queue: 8 }

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

const tooFast = (milliseconds: number): Refusal => {
  const seconds = Math.ceil(milliseconds / 1000)
  return new Refusal(
    429,
    { detail: `Too much is being sent by you: try again in ${seconds} seconds.` },
    { 'Retry-After': String(seconds) },
  )
}

const noRoom: Readonly<Record<Exclude<keyof ByteBounds, 'free'>, () => Refusal>> = {
  each: () =>
    new Refusal(
      429,
      { detail: 'Too much is being received from you at once. Try again in two seconds.' },
      again,
    ),
  together: () =>
    new Refusal(
      429,
      {
        detail:
          'Too much is being received from your organizer or your address at once. Try again in two seconds.',
      },
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

/** By what callers with a credential are counted: by it, by the organizer they were admitted to, and by address. */
function senderOf(ctx: Context): BodySender {
  const actor: Actor | undefined = ctx.state.actor
  const organizer = actor?.organizer ?? ctx.params?.organizer
  return {
    caller: hashToken(ctx.get('Authorization')),
    groups: [`address ${addressKey(ctx.ip)}`, ...(organizer ? [`organizer ${organizer}`] : [])],
  }
}

/** Waits until a large body of somebody known may be read, and counts it once it is answered. */
async function takeTurn(
  large: LargeBodies,
  ctx: Context,
  { expected, size, perByte }: { expected: number; size: () => number; perByte: number },
): Promise<void> {
  const turn = await large.turn(senderOf(ctx), expected * perByte)
  if (typeof turn === 'number') throw tooFast(turn)
  const end = (): void => turn.end(size() > largeFrom ? size() * perByte : 0)
  if (ctx.res.closed) end()
  else ctx.res.once('close', end)
}

/** Receives the bodies of requests: as much as is declared, in time, and not more at once than memory has room for. */
export function createBodyReader(env: Env): BodyReader {
  const anybody = new BytesInFlight(fromAnybody)
  const known = byLimit.map(([upTo, bounds]) => [upTo, new BytesInFlight(bounds)] as const)

  const large = new LargeBodies(env, largePace)

  const roomFor = (ctx: Context, { limit, from }: WantedBody): MakeRoom => {
    const isKnown = from === 'credential'
    const sender = isKnown ? senderOf(ctx) : { caller: addressKey(ctx.ip), groups: [] }
    const flight = (isKnown && known.find(([upTo]) => limit <= upTo)?.[1]) || anybody
    let held = 0
    let isOver = false
    ctx.res.once('close', () => {
      isOver = true
      flight.giveBack(sender, held)
    })
    return (bytes) => {
      if (isOver) return cutOff()
      const outcome = flight.take(sender, bytes)
      if (outcome !== 'taken') return noRoom[outcome]()
      held += bytes
      return null
    }
  }

  async function bytes(ctx: Context, wanted: WantedBody): Promise<Buffer> {
    const makeRoom = roomFor(ctx, wanted)
    if (wanted.from !== 'credential') return received(ctx, Math.min(wanted.limit, smallBody), makeRoom, env)
    let size = 0
    const { length = wanted.limit } = ctx.request
    if (length > largeFrom && length <= wanted.limit)
      await takeTurn(large, ctx, { expected: length, size: () => size, perByte: pace.sent })
    const counted: MakeRoom = (more) => {
      size += more
      return makeRoom(more)
    }
    return received(ctx, wanted.limit, counted, env)
  }

  return {
    bytes,
    json: async (ctx, wanted) => readJson(ctx, await bytes(ctx, wanted), wanted),
    async unpacked(ctx, wanted) {
      const packing = ctx.get('Content-Encoding').toLowerCase()
      if (packing !== '' && packing !== 'identity' && packing !== 'gzip')
        throw new Refusal(415, { detail: `Unsupported content encoding "${packing}". Send gzip or none.` })
      const makeRoom = roomFor(ctx, wanted)
      const sent = await received(ctx, wanted.limit, makeRoom, env)
      const whole = packing === 'gzip' ? await unpacked(sent, wanted.limit, makeRoom) : sent
      if (whole.length > largeFrom) {
        const expected = whole.length
        await takeTurn(large, ctx, { expected, size: () => expected, perByte: pace.reported })
      }
      return whole
    },
    isForgotten: (ctx) => large.mayForget(senderOf(ctx), (ctx.request.length ?? fileBody) * pace.sent),
  }
}
