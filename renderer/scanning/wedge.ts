/**
 * Tells the bursts of a keyboard scanner from a person's typing.
 *
 * Gaps between two keys are no measure (a busy machine stretches single ones to half a second), the average is.
 * Keys are read twice: as the characters the host's keyboard layout makes of them, and by position as a
 * US keyboard would, since most scanners are delivered speaking US. Which one is right is found out by
 * calibration; keys that make no character at all (`Dead`, `Process`) mark the scan as garbled.
 * What a person types must not end up in a scan: a key that edits or moves, a click and another place for the keys
 * end what was typed, and a fast run after slow keys, or after a single one and a lull, is a scan of its own.
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
  /** What has the focus, compared by identity. */
  readonly place: unknown
}

/** A code that a keyboard scanner has typed. */
export interface WedgeScan {
  readonly characters: string
  readonly positions: string
  readonly garbled: boolean
}

/** Keys in a row, and when the first and the last of them went down. */
interface Run extends WedgeScan {
  readonly first: number
  readonly last: number
  readonly count: number
  /** The shortest gap between two of them, in milliseconds. */
  readonly quickest: number
}

/** What was typed since the last silence. */
export interface Burst extends Run {
  /** What was typed before the last lull, and what since then. */
  readonly head: Pick<Run, 'count' | 'quickest'>
  readonly tail: Run
  readonly place: unknown
}

/** What a key meant: part of a burst, the end of a scan, or nothing of ours. */
interface Heard {
  readonly burst: Burst
  readonly scan: WedgeScan | null
  /** The scan is the tail of the burst only: a person typed its head. */
  readonly afterTyping?: true
  /** The key belongs to a fast burst: buttons and forms must not act on it. */
  readonly swallow: boolean
}

/** Milliseconds of silence after which what was typed is forgotten. */
const silence = 1000
/** Codes are at least this long. */
const shortest = 4
/** Milliseconds per key, on average, below which keys in a text field come from a scanner. */
const scannerPace = 50
/** Milliseconds between what a person typed and a scan that follows it. */
const lull = 150
/** A scan that follows what a person typed into a field is at least this long. */
const shortestAfterTyping = 6
const longest = 4096

const none: Run = {
  characters: '',
  positions: '',
  garbled: false,
  first: 0,
  last: 0,
  count: 0,
  quickest: Number.POSITIVE_INFINITY,
}

/** Nothing typed yet. */
export const quiet: Burst = { ...none, head: none, tail: none, place: null }

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
/** Keys that a scanner holds or switches while it types. */
const modifiers = new Set(['Shift', 'Control', 'Alt', 'AltGraph', 'Meta', 'CapsLock', 'NumLock'])

/** Listens to one more key. */
export function hear(before: Burst, key: Key): Heard {
  const burst = goesOn(before, key) ? before : quiet
  if (key.command || modifiers.has(key.key)) return { burst, scan: null, swallow: false }
  if (ends(key.key)) return end(burst, key)
  if (!printable(key.key) && !unreadable(key.key)) return { burst: quiet, scan: null, swallow: false }
  const follows = burst.count > 0 && key.at - burst.last < scannerPace
  return { burst: longer(burst, key), scan: null, swallow: follows && !key.inField }
}

/** A scanner types on while the page moves the focus; a person has turned to something else. */
function goesOn(burst: Burst, key: Key): boolean {
  const gap = key.at - burst.last
  if (burst.count === 0 || gap > silence) return false
  const pace = burst.count === 1 ? gap : (burst.last - burst.first) / (burst.count - 1)
  return key.place === burst.place || pace < scannerPace
}

function longer(burst: Burst, key: Key): Burst {
  if (burst.count >= longest) return burst
  const paused = burst.count > 0 && key.at - burst.last >= lull
  return {
    ...added(burst, key),
    head: paused ? { count: burst.count, quickest: burst.quickest } : burst.head,
    tail: added(paused ? none : burst.tail, key),
    place: key.place,
  }
}

function added(run: Run, key: Key): Run {
  const readable = printable(key.key)
  const gap = run.count === 0 ? Number.POSITIVE_INFINITY : key.at - run.last
  return {
    characters: run.characters + (readable ? key.key : ''),
    positions: run.positions + usCharacter(key.code, key.shift),
    garbled: run.garbled || !readable,
    first: run.count === 0 ? key.at : run.first,
    last: key.at,
    count: run.count + 1,
    quickest: Math.min(run.quickest, gap),
  }
}

const fast = (run: Run, at: number): boolean => (at - run.first) / run.count < scannerPace
const asScan = ({ characters, positions, garbled }: Run): WedgeScan => ({ characters, positions, garbled })

function end(burst: Burst, key: Key): Heard {
  const { head, tail } = burst
  // A scanner that stumbled once has been quick before; a person, or whoever leaned on a key, never was.
  const typed = head.count > 0 && head.quickest >= scannerPace && !announced(burst)
  if (typed && tail.count >= (key.inField ? shortestAfterTyping : shortest) && fast(tail, key.at))
    return { burst: quiet, scan: asScan(tail), afterTyping: true, swallow: true }
  if (burst.count < shortest || (key.inField && !fast(burst, key.at) && !announced(burst)))
    return { burst: quiet, scan: null, swallow: false }
  return { burst: quiet, scan: asScan(burst), swallow: true }
}

/** The AIM identifier in front of a code, which only a scanner types. */
const identifier = /^\][A-Za-z][0-9A-Za-z]/
const announced = (burst: Run): boolean =>
  identifier.test(burst.characters) || identifier.test(burst.positions)

/** Which of the two readings of a scan counts. */
export type WedgeReading = 'characters' | 'positions'

/** The code of a scan, and its AIM identifier if the scanner sends one in front. */
export function codeOf(
  scan: WedgeScan,
  reading: WedgeReading,
): { readonly code: string; readonly symbology?: string } {
  const text = scan[reading]
  const found = identifier.exec(text)
  return found ? { code: text.slice(found[0].length), symbology: found[0] } : { code: text }
}

/** The text of the code that is scanned to calibrate: letters and signs that differ between layouts. */
export const calibration = 'GATEHOUSE-yzYZ_-/+=?;:'

/** Which reading makes the calibration code right, or none when neither does. */
export function calibrated(scan: WedgeScan): WedgeReading | null {
  if (codeOf(scan, 'characters').code === calibration) return 'characters'
  return codeOf(scan, 'positions').code === calibration ? 'positions' : null
}

/** Whether a scan is the calibration code, however a keyboard layout has changed it. */
export const calibrates = (scan: WedgeScan): boolean =>
  calibrated(scan) !== null || /^(\]..)?gatehouse.{8,14}$/i.test(scan.characters)
