import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import type { Context } from 'koa'
import { impossible, Refusal } from '../errors.ts'

const unpack = promisify(gunzip)

const tooLarge = (limit: number): Refusal =>
  new Refusal(413, { detail: `The body of the request is larger than ${limit / 1024 / 1024} MiB.` })

const codeOf = (cause: unknown): unknown =>
  typeof cause === 'object' && cause !== null && 'code' in cause ? cause.code : undefined

/**
 * The body of a request that nothing has read yet, unpacked where it came packed; throws 413 where it is larger than
 * `limit` bytes either way, and 400 where it was cut off or is not what it says.
 */
export async function readLargeBody(ctx: Context, limit: number): Promise<Buffer> {
  const packing = ctx.get('Content-Encoding').toLowerCase()
  if (packing !== '' && packing !== 'identity' && packing !== 'gzip')
    throw new Refusal(415, { detail: `Unsupported content encoding "${packing}". Send gzip or none.` })
  const bytes = await received(ctx, limit)
  if (packing !== 'gzip') return bytes
  return unpack(bytes, { maxOutputLength: limit }).catch((cause: unknown) => {
    throw codeOf(cause) === 'ERR_BUFFER_TOO_LARGE'
      ? tooLarge(limit)
      : impossible('The body of the request is not packed as it says.')
  })
}

async function received(ctx: Context, limit: number): Promise<Buffer> {
  if ((ctx.request.length ?? 0) > limit) throw tooLarge(limit)
  const parts: Buffer[] = []
  let size = 0
  try {
    for await (const part of ctx.req) {
      size += part.length
      // The rest is read and forgotten, so that the sender gets to hear why.
      if (size <= limit) parts.push(part)
    }
  } catch {
    throw impossible('The body of the request could not be read.')
  }
  if (size > limit) throw tooLarge(limit)
  return Buffer.concat(parts)
}
