/** Written in front of a code by scanners that announce its character set (ISO 15424, ECI 1, 3, 26 and 27). */
const characterSetMarkers = /^(?:\\0000(?:01|03|26|27))+/

/**
 * The code to look up for what a barcode scanner sent: without leading character-set markers, and with every control,
 * format and unassigned character replaced by U+FFFD, because none of those belongs to a ticket.
 */
export function cleanCode(scanned: string): string {
  return scanned.replace(characterSetMarkers, '').replace(/\p{C}/gu, '\u{FFFD}')
}
