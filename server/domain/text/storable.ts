/** How many levels of lists and objects a database keeps. */
export const deepest = 50

/** Whether a value holds what no database can keep: a NUL, half a surrogate pair, or more than fifty levels. */
export function isUnstorable(value: unknown, depth = 0): boolean {
  if (typeof value === 'string') return value.includes('\u0000') || !value.isWellFormed()
  if (typeof value !== 'object' || value === null) return false
  if (depth >= deepest) return true
  if (Array.isArray(value)) return value.some((part) => isUnstorable(part, depth + 1))
  return Object.entries(value).some(
    ([name, part]) => isUnstorable(name, depth + 1) || isUnstorable(part, depth + 1),
  )
}

/** Written in front of a code by scanners that announce its character set (ISO 15424, ECI 1, 3, 26 and 27). */
const characterSetMarkers = /^(?:\\0000(?:01|03|26|27))+/

/**
 * The code to look up for what a barcode scanner sent: without leading character-set markers, and with every control,
 * format and unassigned character replaced by U+FFFD, because none of those belongs to a ticket.
 */
export function cleanCode(scanned: string): string {
  return scanned.replace(characterSetMarkers, '').replace(/\p{C}/gu, '\u{FFFD}')
}
