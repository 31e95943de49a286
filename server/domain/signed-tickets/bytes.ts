/** Numbers are read as far as JavaScript holds them exactly; seven bits each, so ten bytes are the longest there is. */
const longestNumber = 10

/** Reads bytes from the front. What is cut short or too large gives undefined; nothing is ever read past the end. */
export class ByteReader {
  readonly #bytes: Uint8Array
  #at = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  get isAtEnd(): boolean {
    return this.#at === this.#bytes.length
  }

  /** The next bytes, as many as asked for. */
  take(count: number): Uint8Array | undefined {
    if (count > this.#bytes.length - this.#at) return undefined
    this.#at += count
    return this.#bytes.subarray(this.#at - count, this.#at)
  }

  /** A number of fixed size, the highest byte first; up to six bytes. */
  fixed(size: number): number | undefined {
    return this.take(size)?.reduce((value, byte) => value * 256 + byte, 0)
  }

  /** A number as protobuf writes them, the lowest seven bits first; undefined beyond 2^53. */
  number(): number | undefined {
    let value = 0
    let weight = 1
    for (let count = 0; count < longestNumber; count += 1) {
      const [byte] = this.take(1) ?? []
      if (byte === undefined) return undefined
      value += (byte & 127) * weight
      weight *= 128
      if (byte < 128) return Number.isSafeInteger(value) ? value : undefined
    }
    return undefined
  }
}

/** A number of fixed size, the highest byte first. */
export const fixedBytes = (value: number, size: number): number[] =>
  Array.from({ length: size }, (_, index) => Math.floor(value / 256 ** (size - 1 - index)) % 256)

/** A number from 0 to 2^53 as protobuf writes it. */
export function numberBytes(value: number): number[] {
  const bytes: number[] = []
  let rest = value
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128)
  return [...bytes, rest]
}
