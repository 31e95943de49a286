/**
 * Whether something that was scanned is, or wants to be, the code that connects a station: the text of a JSON object
 * that has to do with tokens. Half a code counts as well, so that the screen asks to scan it again.
 */
export const isPairingCode = (text: string): boolean => /^\s*\{/.test(text) && /token|handshake/.test(text)

/** Whether a code, or a line with its address, says by itself where its server is, so that nobody has to type that. */
export const saysWhere = (text: string): boolean => /^\s*\{|https?:\/\/\S/i.test(text)

/**
 * The reading of a scanner's keys that makes a pairing code: as this computer's keyboard layout has it or, where that
 * spoils the braces, as a US keyboard would; null when neither does.
 */
export const pairingCodeIn = (scan: {
  readonly characters: string
  readonly positions: string
}): string | null => [scan.characters, scan.positions].find(isPairingCode) ?? null
