import type { KeyObject } from 'node:crypto'
import { ByteReader, fixedBytes, numberBytes } from './bytes.ts'
import { idOrNone, instantOrNone, type Sealed, secondsOf, type TicketContent } from './content.ts'
import { signatureBytes, signatureOf } from './keys.ts'

// The scheme `pretix_sig1`: base64, written backwards, of the version 1, the lengths of payload and signature in two
// bytes each with the high one first, the payload, and its Ed25519 signature. The payload is a protobuf with the seed
// (1), item (2), variation (3), subevent (4) and the times it is valid from (5) and until (6) in seconds since 1970.

const version = 1

/** Shorter than a signature alone, or longer than any ticket or QR code: not worth taking apart. */
const shortest = 96
const longest = 4096

const seedLength = 9
const seedLetters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

const reversed = (text: string): string => text.split('').reverse().join('')

/** Takes a code apart; undefined when it has not exactly this form. */
export function openPretix(code: string): Sealed | undefined {
  if (code.length < shortest || code.length > longest || code.length % 4 !== 0) return undefined
  const text = reversed(code)
  const bytes = Buffer.from(text, 'base64')
  // Base64 is read generously, but a ticket has one spelling only.
  if (bytes[0] !== version || bytes.toString('base64') !== text) return undefined
  const reader = new ByteReader(bytes.subarray(1))
  const payloadLength = reader.fixed(2)
  if (payloadLength === undefined || reader.fixed(2) !== signatureBytes) return undefined
  const payload = reader.take(payloadLength)
  const signature = reader.take(signatureBytes)
  if (!payload || !signature || !reader.isAtEnd) return undefined
  return { signed: payload, signature, keyId: null, read: () => readPayload(payload) }
}

/** How many bytes a protobuf field has that is not a number, by the lowest three bits of its tag. */
function lengthOf(wire: number, reader: ByteReader): number | undefined {
  if (wire === 1) return 8
  if (wire === 2) return reader.number()
  return wire === 5 ? 4 : undefined
}

/** The numbers of a protobuf by field; fields of other kinds are passed over. Undefined when it is no protobuf. */
function numbersIn(payload: Uint8Array): ReadonlyMap<number, number> | undefined {
  const reader = new ByteReader(payload)
  const numbers = new Map<number, number>()
  while (!reader.isAtEnd) {
    const tag = reader.number()
    if (tag === undefined || tag < 8) return undefined
    const wire = tag % 8
    if (wire === 0) {
      const value = reader.number()
      if (value === undefined) return undefined
      numbers.set((tag - wire) / 8, value)
    } else {
      const length = lengthOf(wire, reader)
      if (length === undefined || !reader.take(length)) return undefined
    }
  }
  return numbers
}

function readPayload(payload: Uint8Array): TicketContent | undefined {
  const numbers = numbersIn(payload)
  const item = numbers?.get(2)
  const valid_from = instantOrNone(numbers?.get(5))
  const valid_until = instantOrNone(numbers?.get(6))
  if (!item || valid_from === undefined || valid_until === undefined) return undefined
  const variation = idOrNone(numbers?.get(3))
  const subevent = idOrNone(numbers?.get(4))
  return { item, variation, subevent, valid_from, valid_until, issued: null, position: null }
}

/** The payload of a ticket; what is none is left out. */
export function pretixPayload(content: TicketContent, seed: string): Uint8Array {
  const numbers = [
    content.item,
    content.variation ?? 0,
    content.subevent ?? 0,
    secondsOf(content.valid_from, 'start'),
    secondsOf(content.valid_until, 'end'),
  ]
  const text = Buffer.from(seed)
  const fields = numbers.flatMap((value, index) =>
    value === 0 ? [] : [(index + 2) * 8, ...numberBytes(value)],
  )
  return Uint8Array.from([1 * 8 + 2, ...numberBytes(text.length), ...text, ...fields])
}

/** The code for a payload. */
export function sealPayload(payload: Uint8Array, key: KeyObject): string {
  const signature = signatureOf(payload, key)
  const head = [version, ...fixedBytes(payload.length, 2), ...fixedBytes(signature.length, 2)]
  return reversed(Buffer.from([...head, ...payload, ...signature]).toString('base64'))
}

/** The code of a ticket. */
export function sealPretix(content: TicketContent, seed: Uint8Array, key: KeyObject): string {
  const letters = [...seed.subarray(0, seedLength)].map((byte) => seedLetters[byte % seedLetters.length])
  return sealPayload(pretixPayload(content, letters.join('')), key)
}
