/** One message of the protocol ZVT: what it is, class and instruction as one number, and what it says. */
export interface ZvtPacket {
  readonly code: number
  readonly data: Uint8Array
}

/** The messages by which tills and terminals understand each other. */
export const zvt = {
  registration: 0x0600,
  authorisation: 0x0601,
  completion: 0x060f,
  /** The terminal has given up. */
  abort: 0x061e,
  repeatReceipt: 0x0620,
  reversal: 0x0630,
  refund: 0x0631,
  /** The till asks the terminal to give up. */
  cancel: 0x06b0,
  status: 0x040f,
  intermediate: 0x04ff,
  understood: 0x8000,
} as const

/** Classes of messages that a terminal sends. Anything else is no ZVT. */
const classes: ReadonlySet<number> = new Set([0x04, 0x05, 0x06, 0x08, 0x0f, 0x80, 0x84])

/** What arrived is not of this protocol; nothing after it can be understood. */
export class NotZvt extends Error {}

/** A message as bytes. */
export function encodeZvt(code: number, data: readonly number[] = []): Uint8Array {
  const long = data.length >= 0xff
  const length = long ? [0xff, data.length & 0xff, data.length >> 8] : [data.length]
  return Uint8Array.from([code >> 8, code & 0xff, ...length, ...data])
}

/** Digits as bytes of two each, so many bytes of them. */
export function digitBytes(value: number, bytes: number): number[] {
  const digits = String(value).padStart(bytes * 2, '0')
  if (digits.length > bytes * 2) throw new RangeError(`${value} has more than ${bytes * 2} digits.`)
  return Array.from({ length: bytes }, (_, index) =>
    Number.parseInt(digits.slice(index * 2, index * 2 + 2), 16),
  )
}

/** Such bytes as a number; null where they hold no digits. */
export function digitsIn(bytes: Uint8Array): number | null {
  const text = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  return /^\d{1,15}$/.test(text) ? Number(text) : null
}

/** Puts messages together from the pieces in which they arrive; throws where they are none. */
export function zvtSplitter(): (piece: Uint8Array) => ZvtPacket[] {
  let rest = new Uint8Array()
  const next = (): ZvtPacket | null => {
    const [group = 0, instruction = 0, short = 0] = rest
    if (rest.length > 0 && !classes.has(group)) throw new NotZvt('This is not a payment terminal.')
    if (rest.length < 3) return null
    const isLong = short === 0xff
    if (isLong && rest.length < 5) return null
    const from = isLong ? 5 : 3
    const length = isLong ? (rest[3] ?? 0) + (rest[4] ?? 0) * 256 : short
    if (rest.length < from + length) return null
    const data = rest.slice(from, from + length)
    rest = rest.slice(from + length)
    return { code: group * 256 + instruction, data }
  }
  return (piece) => {
    const joined = new Uint8Array(rest.length + piece.length)
    joined.set(rest)
    joined.set(piece, rest.length)
    rest = joined
    const packets: ZvtPacket[] = []
    for (let packet = next(); packet; packet = next()) packets.push(packet)
    return packets
  }
}

/** What a terminal says of a payment. */
export interface ZvtStatus {
  /** 0 where it was carried out. */
  readonly result: number | null
  /** In hundredths. */
  readonly amount: number | null
  /** What the terminal calls the payment: by these numbers it is taken back, and told from others. */
  readonly receipt: number | null
  readonly trace: number | null
  /** Month, day, hour, minute and second by the terminal's clock, as digits. */
  readonly date: number | null
  readonly time: number | null
  readonly terminal: number | null
  readonly card: string
}

/** How long the fields of a status are: so many bytes, or by a length of two or three digits in front. */
const fieldSizes: Readonly<Record<number, number | 'two' | 'three'>> = {
  ...{ 1: 1, 2: 1, 3: 1, 4: 6, 5: 1, 11: 3, 12: 3, 13: 2, 14: 2, 23: 2, 25: 1, 39: 1, 41: 4, 42: 15, 55: 3 },
  ...{ 58: 2, 59: 8, 61: 3, 73: 2, 135: 2, 136: 3, 138: 1, 140: 1, 160: 1, 170: 3, 186: 5 },
  ...{ 34: 'two', 35: 'two', 45: 'two', 76: 'two', 139: 'two', 167: 'two' },
  ...{ 36: 'three', 46: 'three', 60: 'three', 96: 'three', 146: 'three', 154: 'three', 175: 'three' },
}

/** The fields of a status by their numbers; what follows one that nobody knows cannot be read. */
function fieldsOf(data: Uint8Array): Map<number, Uint8Array> {
  const fields = new Map<number, Uint8Array>()
  let at = 0
  while (at < data.length) {
    const id = data[at] ?? 0
    const size = fieldSizes[id]
    if (size === undefined) break
    const digits = size === 'two' ? 2 : size === 'three' ? 3 : 0
    const from = at + 1 + digits
    const length =
      typeof size === 'number'
        ? size
        : [...data.slice(at + 1, from)].reduce((sum, digit) => sum * 10 + (digit & 0x0f), 0)
    if (from + length > data.length) break
    fields.set(id, data.slice(from, from + length))
    at = from + length
  }
  return fields
}

/** Reads what a terminal says of a payment. */
export function readZvtStatus(data: Uint8Array): ZvtStatus {
  const fields = fieldsOf(data)
  const number = (id: number): number | null => {
    const bytes = fields.get(id)
    return bytes ? digitsIn(bytes) : null
  }
  const name = [...(fields.get(139) ?? [])].filter((byte) => byte >= 32 && byte < 127)
  return {
    result: fields.get(39)?.[0] ?? null,
    ...{ amount: number(4), receipt: number(135), trace: number(11) },
    ...{ date: number(13), time: number(12), terminal: number(41) },
    card: String.fromCharCode(...name),
  }
}
