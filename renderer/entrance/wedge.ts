/**
 * Tells the bursts of a keyboard scanner from a person's typing.
 *
 * Gaps between two keys are no measure (a busy machine stretches single ones to half a second), the average is.
 * Keys are read twice: as the characters the host's keyboard layout makes of them, and by position as a
 * US keyboard would, since most scanners are delivered speaking US. Which one is right is found out by
 * calibration; keys that make no character at all (`Dead`, `Process`) mark the scan as garbled.
 */

/** One key that went down. */
export interface Key {
  /** The character or the name of the key. */
  readonly key: string
  /** Its position on the keyboard, named as on a US one. */
  readonly code: string
  readonly shift: boolean
  /** Control, Alt or Meta was held, and it was not AltGr. */
  readonly command: boolean
  /** Milliseconds on any clock that does not jump. */
  readonly at: number
  /** A field that takes text has the focus. */
  readonly inField: boolean
}

/** What was typed since the last pause. */
export interface Burst {
  readonly characters: string
  readonly positions: string
  readonly garbled: boolean
  readonly first: number
  readonly last: number
  readonly count: number
}

/** A code that a keyboard scanner has typed. */
export interface WedgeScan {
  readonly characters: string
  readonly positions: string
  readonly garbled: boolean
}

/** What a key meant: part of a burst, the end of a scan, or nothing of ours. */
export interface Heard {
  readonly burst: Burst
  readonly scan: WedgeScan | null
  /** The key belongs to a fast burst: buttons and forms must not act on it. */
  readonly swallow: boolean
}

/** Milliseconds of silence after which what was typed is forgotten. */
export const silence = 1000
/** Codes are at least this long. */
export const shortest = 4
/** Milliseconds per key, on average, below which keys in a text field come from a scanner. */
export const scannerPace = 50
const longest = 4096

/** Nothing typed yet. */
export const quiet: Burst = { characters: '', positions: '', garbled: false, first: 0, last: 0, count: 0 }

const us: Readonly<Record<string, string>> = {
  Space: '  ',
  Minus: '-_',
  Equal: '=+',
  BracketLeft: '[{',
  BracketRight: ']}',
  Backslash: '\\|',
  Semicolon: ';:',
  Quote: '\'"',
  Backquote: '`~',
  Comma: ',<',
  Period: '.>',
  Slash: '/?',
}
const shiftedDigits = ')!@#$%^&*('

/** The character that a key position gives on a US keyboard, or none. */
export function usCharacter(code: string, shift: boolean): string {
  const [, letter, digit] = /^(?:Key([A-Z])|(?:Digit|Numpad)([0-9]))$/.exec(code) ?? []
  if (letter) return shift ? letter : letter.toLowerCase()
  if (digit) return shift && code.startsWith('Digit') ? (shiftedDigits[Number(digit)] ?? '') : digit
  return us[code]?.[shift ? 1 : 0] ?? ''
}

const ends = (key: string): boolean => key === 'Enter' || key === 'Tab'
const unreadable = (key: string): boolean => key === 'Dead' || key === 'Process' || key === 'Unidentified'
const printable = (key: string): boolean => [...key].length === 1

/** Listens to one more key. */
export function hear(before: Burst, key: Key): Heard {
  const burst = key.at - before.last > silence ? quiet : before
  if (key.command) return { burst, scan: null, swallow: false }
  if (ends(key.key)) return end(burst, key)
  if (!printable(key.key) && !unreadable(key.key)) return { burst, scan: null, swallow: false }
  const follows = burst.count > 0 && key.at - burst.last < scannerPace
  return { burst: longer(burst, key), scan: null, swallow: follows && !key.inField }
}

function longer(burst: Burst, key: Key): Burst {
  if (burst.count >= longest) return burst
  const readable = printable(key.key)
  return {
    characters: burst.characters + (readable ? key.key : ''),
    positions: burst.positions + usCharacter(key.code, key.shift),
    garbled: burst.garbled || !readable,
    first: burst.count === 0 ? key.at : burst.first,
    last: key.at,
    count: burst.count + 1,
  }
}

function end(burst: Burst, key: Key): Heard {
  const fast = (key.at - burst.first) / burst.count < scannerPace
  if (burst.count < shortest || (key.inField && !fast && !announced(burst)))
    return { burst: quiet, scan: null, swallow: false }
  const { characters, positions, garbled } = burst
  return { burst: quiet, scan: { characters, positions, garbled }, swallow: true }
}

/** The AIM identifier in front of a code, which only a scanner types. */
const identifier = /^\][A-Za-z][0-9A-Za-z]/
const announced = (burst: Burst): boolean =>
  identifier.test(burst.characters) || identifier.test(burst.positions)

/** Which of the two readings of a scan counts. */
export type Reading = 'characters' | 'positions'

/** The code of a scan, and its AIM identifier if the scanner sends one in front. */
export function codeOf(
  scan: WedgeScan,
  reading: Reading,
): { readonly code: string; readonly symbology?: string } {
  const text = scan[reading]
  const found = identifier.exec(text)
  return found ? { code: text.slice(found[0].length), symbology: found[0] } : { code: text }
}

/** The text of the code that is scanned to calibrate: letters and signs that differ between layouts. */
export const calibration = 'GATEHOUSE-yzYZ_-/+=?;:'

/** Which reading makes the calibration code right, or none when neither does. */
export function calibrated(scan: WedgeScan): Reading | null {
  if (codeOf(scan, 'characters').code === calibration) return 'characters'
  return codeOf(scan, 'positions').code === calibration ? 'positions' : null
}

/** Whether a scan is the calibration code, however a keyboard layout has changed it. */
export const calibrates = (scan: WedgeScan): boolean =>
  calibrated(scan) !== null || /^(\]..)?gatehouse.{8,14}$/i.test(scan.characters)
