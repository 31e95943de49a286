/** A snapshot that did not arrive as it was sent: it is asked for again from the last good row. */
export class Mangled extends Error {}

const newline = 10

/** Finds whole lines in what arrives in pieces. */
interface Lines {
  /** The lines, one behind the other, that a piece has made whole, or null for none. */
  add(piece: Uint8Array): Buffer | null
  /** Forgets a line that was begun. */
  restart(): void
}

/** Begins with nothing. */
export function gatherLines(): Lines {
  let rest: Buffer[] = []
  return {
    add(piece) {
      const bytes = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength)
      const end = bytes.lastIndexOf(newline) + 1
      // Copied: whoever gave it may use it for something else.
      const left = Buffer.from(bytes.subarray(end))
      const whole = end === 0 ? null : Buffer.concat([...rest, bytes.subarray(0, end)])
      rest = whole ? [left] : [...rest, left]
      return whole
    },
    restart() {
      rest = []
    },
  }
}

/** The lines of a text that ends with one. */
export function* linesIn(text: Buffer): Generator<Buffer, void, void> {
  for (let from = 0; from < text.length; ) {
    const to = text.indexOf(newline, from)
    if (to > from) yield text.subarray(from, to)
    from = to + 1
  }
}

/** The object that a line is. Throws Mangled where it is none. */
export function parsedLine(line: Buffer): unknown {
  let value: unknown
  try {
    value = JSON.parse(line.toString())
  } catch {
    throw new Mangled('A line of the snapshot is not JSON.')
  }
  if (typeof value !== 'object' || value === null) throw new Mangled('A line of the snapshot is no object.')
  return value
}

const beforeRows = ',"rows":'
const behindRows = ',"sha256":"'

/**
 * The bytes of a frame's rows as they were sent, so that they need not be written again to be compared; null where they
 * are not to be found.
 */
export function rowsIn(line: Buffer): Buffer | null {
  const from = line.indexOf(beforeRows)
  const to = line.lastIndexOf(behindRows)
  return from > 0 && to > from ? line.subarray(from + beforeRows.length, to) : null
}
