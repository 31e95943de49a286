import type { KeyObject } from 'node:crypto'
import { ByteReader, fixedBytes, numberBytes } from './bytes.ts'
import { idOrNone, instantOrNone, type Sealed, secondsOf, type TicketContent } from './content.ts'
import { signatureBytes, signatureOf } from './keys.ts'

// The scheme `gatehouse_1`: base32 in capital letters without padding, which a QR code holds in fewer squares than
// base64, which scanners with a foreign keyboard layout do not garble, and which needs no escaping in an address. The
// bytes are the version 0x31, the key's number (2), the seconds since 1970 when it was issued (5), a seed (4), the
// position, item, variation and subevent and the times it is valid from and until as protobuf writes numbers, zero for
// none, and at the end the Ed25519 signature over the context and everything before it.

const version = 0x31
const seedBytes = 4

/** So that no signature made for another purpose, or for another scheme by the same key, is ever one of a ticket. */
const context = Buffer.from('gatehouse ticket 1\0')

/** The signature alone takes 103 letters; the longest numbers bring a code to 205. */
const shortest = 120
const longest = 256

const withContext = (body: Uint8Array): Uint8Array => Buffer.concat([context, body])

/** Takes a code apart; undefined when it has not exactly this form. */
export function openGatehouse(code: string): Sealed | undefined {
  if (code.length < shortest || code.length > longest || !code.startsWith('G')) return undefined
  const bytes = readBase32(code)
  if (!bytes || bytes[0] !== version) return undefined
  const body = bytes.subarray(0, -signatureBytes)
  const keyId = new ByteReader(body.subarray(1)).fixed(2)
  if (keyId === undefined) return undefined
  const signature = bytes.subarray(-signatureBytes)
  return { signed: withContext(body), signature, keyId, read: () => readBody(body) }
}

function readBody(body: Uint8Array): TicketContent | undefined {
  const reader = new ByteReader(body.subarray(3))
  const issued = instantOrNone(reader.fixed(5))
  if (!issued || !reader.take(seedBytes)) return undefined
  const position = reader.number()
  const item = reader.number()
  const variation = reader.number()
  const subevent = reader.number()
  const from = reader.number()
  const until = reader.number()
  const valid_from = instantOrNone(from)
  const valid_until = instantOrNone(until)
  if (!item || until === undefined || !reader.isAtEnd) return undefined
  if (valid_from === undefined || valid_until === undefined) return undefined
  return {
    item,
    variation: idOrNone(variation),
    subevent: idOrNone(subevent),
    valid_from,
    valid_until,
    issued,
    position: idOrNone(position),
  }
}

/** The code of a ticket, which says when it was issued. */
export function sealGatehouse(
  content: TicketContent,
  seed: Uint8Array,
  keyId: number,
  key: KeyObject,
): string {
  const numbers = [
    content.position ?? 0,
    content.item,
    content.variation ?? 0,
    content.subevent ?? 0,
    secondsOf(content.valid_from, 'start'),
    secondsOf(content.valid_until, 'end'),
  ]
  const body = Uint8Array.from([
    version,
    ...fixedBytes(keyId, 2),
    ...fixedBytes(secondsOf(content.issued, 'start'), 5),
    ...seed.subarray(0, seedBytes),
    ...numbers.flatMap(numberBytes),
  ])
  return writeBase32(Buffer.concat([body, signatureOf(withContext(body), key)]))
}

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
const values: ReadonlyMap<string, number> = new Map([...letters].map((letter, value) => [letter, value]))

/** Bytes in base32 (RFC 4648) with capital letters and without padding. */
function writeBase32(bytes: Uint8Array): string {
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
function readBase32(text: string): Uint8Array | undefined {
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
