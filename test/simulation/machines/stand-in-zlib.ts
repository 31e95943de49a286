import { Transform } from 'node:stream'
import * as zlib from 'node:zlib'

// Packing by streams is done by threads, whose time is not virtual. Here the same is done at once, at the end.

export * from 'node:zlib'

type Whole = (bytes: Buffer) => Uint8Array

const atTheEnd = (change: Whole): Transform => {
  const parts: Buffer[] = []
  return new Transform({
    transform(part: Buffer, _, done) {
      parts.push(part)
      done()
    },
    flush(done) {
      try {
        done(null, change(Buffer.concat(parts)))
      } catch (cause) {
        done(cause as Error)
      }
    },
  })
}

export const createGunzip = (): Transform => atTheEnd((bytes) => zlib.gunzipSync(bytes))
export const createGzip = (): Transform => atTheEnd((bytes) => zlib.gzipSync(bytes))
export const createInflate = (): Transform => atTheEnd((bytes) => zlib.inflateSync(bytes))
export const createBrotliDecompress = (): Transform => atTheEnd((bytes) => zlib.brotliDecompressSync(bytes))

type Answer = (cause: Error | null, bytes: Uint8Array) => void

const atOnce =
  (change: (bytes: Uint8Array, options: object) => Uint8Array) =>
  (bytes: Uint8Array, options: object | Answer, answer?: Answer): void => {
    const tell = typeof options === 'function' ? (options as Answer) : answer
    try {
      const changed = change(bytes, typeof options === 'function' ? {} : options)
      setImmediate(() => tell?.(null, changed))
    } catch (cause) {
      setImmediate(() => tell?.(cause as Error, new Uint8Array()))
    }
  }

export const gzip = atOnce((bytes, options) => zlib.gzipSync(bytes, options))
export const gunzip = atOnce((bytes, options) => zlib.gunzipSync(bytes, options))
