/** So many characters are turned into bytes at once; each takes three of these at most. */
const portion = 65_536

/**
 * Texts as bytes, one portion after the other in the same memory: each is good until the next one is asked for. Made
 * anew each time, the bytes of a large file would pile up until somebody cleans up after them.
 */
export async function* utf8(texts: AsyncIterable<string> | Iterable<string>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder()
  const memory = new Uint8Array(3 * portion)
  for await (const text of texts)
    for (let first = 0; first < text.length; ) {
      let last = Math.min(text.length, first + portion)
      // The two halves of a character stay together.
      if (last < text.length && /[\ud800-\udbff]/.test(text.charAt(last - 1))) last -= 1
      const { written } = encoder.encodeInto(text.slice(first, last), memory)
      yield memory.subarray(0, written)
      first = last
    }
}
