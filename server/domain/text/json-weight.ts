/** What makes a text heavy to parse, however it is written. */
export interface JsonBounds {
  /** How many levels of lists and objects are in each other. */
  readonly levels: number
  /** How many values it has, those in lists and objects included. */
  readonly values: number
}

const quote = 0x22
const backslash = 0x5c
const comma = 0x2c
const openList = 0x5b
const closeList = 0x5d
const openObject = 0x7b
const closeObject = 0x7d

/** The place of the quote that ends a text, or the end of the bytes where none does. */
function textEnd(bytes: Uint8Array, from: number): number {
  let at = from
  while (at < bytes.length && bytes[at] !== quote) at += bytes[at] === backslash ? 2 : 1
  return at
}

/**
 * Which bound a JSON text in UTF-8 exceeds, or null. Reads it once from its beginning to its end without building
 * anything, so that what would take long to parse is known before it is; whether it is JSON at all is not asked.
 */
export function exceeded(bytes: Uint8Array, bounds: JsonBounds): keyof JsonBounds | null {
  let levels = 0
  let values = 1
  for (let at = 0; at < bytes.length; at += 1) {
    switch (bytes[at]) {
      case quote:
        at = textEnd(bytes, at + 1)
        break
      case openList:
      case openObject:
        levels += 1
        values += 1
        if (levels > bounds.levels) return 'levels'
        break
      case closeList:
      case closeObject:
        levels -= 1
        break
      case comma:
        values += 1
        break
    }
    if (values > bounds.values) return 'values'
  }
  return null
}
