const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
const values: ReadonlyMap<string, number> = new Map([...letters].map((letter, value) => [letter, value]))

/** Bytes in base32 (RFC 4648) with capital letters and without padding. */
export function writeBase32(bytes: Uint8Array): string {
  let text = ''
  let held = 0
  let bits = 0
  for (const byte of bytes) {
    held = held * 256 + byte
    for (bits += 8; bits >= 5; bits -= 5) {
      const weight = 2 ** (bits - 5)
      text += letters[Math.floor(held / weight)]
      held %= weight
    }
  }
  return bits === 0 ? text : text + letters[held * 2 ** (5 - bits)]
}

/** The bytes of a text that writeBase32 could have written; undefined for any other. */
export function readBase32(text: string): Uint8Array | undefined {
  const bytes: number[] = []
  let held = 0
  let bits = 0
  for (const letter of text) {
    const value = values.get(letter)
    if (value === undefined) return undefined
    held = held * 32 + value
    bits += 5
    if (bits < 8) continue
    bits -= 8
    bytes.push(Math.floor(held / 2 ** bits))
    held %= 2 ** bits
  }
  // Left over bits are zero, and fewer than a letter's: there is no second spelling.
  return bits < 5 && held === 0 ? Uint8Array.from(bytes) : undefined
}
