/** Where the parts of a scan lie in an input report; offsets in bytes from its beginning, its id included. */
export interface ReportLayout {
  /** The report's id in byte 0; null where the device does not number its reports. */
  readonly reportId: number | null
  readonly lengthAt: number
  /** The three bytes of the AIM identifier (`]`, letter, modifier); null where the device does not send it. */
  readonly aimAt: number | null
  readonly dataAt: number
  readonly dataSize: number
  /** The maker's letter for the symbology, known for Honeywell's; null where there is none. */
  readonly letterAt: number | null
  /** The bit that is set while more reports of the same scan follow. */
  readonly more: { readonly at: number; readonly bit: number } | null
}

/** One complete scan: the code as text and its AIM symbology identifier, as `]Q1` for a QR code. */
export interface HidScan {
  readonly code: string
  readonly symbology: string | null
}

/** The parts of a scan that have come so far. */
export interface HalfScan {
  readonly bytes: Uint8Array
  readonly symbology: string | null
  /** When the last part came, in milliseconds. */
  readonly at: number
  readonly tooLong: boolean
}

/** Why something that a scanner sent has not become a scan. */
export type Loss = 'junk' | 'unfinished' | 'too long'

/** What a report leads to: at most one scan, the parts still waiting, and what was thrown away. */
interface Received {
  readonly half: HalfScan | null
  readonly scan: HidScan | null
  readonly losses: readonly Loss[]
}

/** Longest code that is put together, in bytes: what the server takes. */
export const MAX_CODE = 4096

/** Milliseconds after which the rest of a split scan is not expected any more. */
export const PATIENCE = 500

/** Honeywell and Access-IS: 64 bytes, with the AIM identifier and a letter of their own. */
export const LAYOUT_A: ReportLayout = {
  reportId: 2,
  lengthAt: 1,
  aimAt: 2,
  dataAt: 5,
  dataSize: 56,
  letterAt: 61,
  more: { at: 63, bit: 0 },
}

/** Newland, ID TECH and re-brands: 64 bytes, without AIM identifier. */
export const LAYOUT_B: ReportLayout = { ...LAYOUT_A, aimAt: null, dataAt: 2, letterAt: null }

/** The smallest that the HID POS usage tables (page 0x8C) allow: 62 bytes. */
export const LAYOUT_C: ReportLayout = { ...LAYOUT_A, letterAt: null, more: { at: 61, bit: 0 } }

// Honeywell's letters, for devices that leave the AIM identifier empty.
const AIM_OF_LETTER: Readonly<Record<string, string>> = {
  s: ']Q1',
  z: ']z0',
  r: ']L0',
  j: ']C0',
  w: ']d1',
  I: ']C1',
  d: ']E0',
}

/** Tells the layout from a report only, where the device's own description is not to be had. */
export function guessLayout(report: Uint8Array): ReportLayout | null {
  if (report.length < 5 || report[0] !== 2) return null
  // Text never begins with three zeros, an AIM identifier that was not filled in does.
  const hasAim = readAim(report, 2) !== null || (report[2] === 0 && report[3] === 0 && report[4] === 0)
  const short = report.length === 62
  if (hasAim) return short ? LAYOUT_C : LAYOUT_A
  return short ? { ...LAYOUT_B, more: LAYOUT_C.more } : LAYOUT_B
}

/**
 * Takes one input report of a scanner and gives what follows from it. Whatever the bytes are, it neither
 * throws nor keeps more than MAX_CODE of them. `at` is the report's time in milliseconds; without a layout
 * (from the report descriptor) the layout is guessed.
 */
export function receiveReport(
  waiting: HalfScan | null,
  report: Uint8Array,
  at: number,
  known: ReportLayout | null = null,
): Received {
  const late = waiting !== null && at - waiting.at > PATIENCE
  const half = late ? null : waiting
  const losses: Loss[] = late ? ['unfinished'] : []
  const part = readPart(report, known ?? guessLayout(report))
  if (part === null) return { half, scan: null, losses: [...losses, 'junk'] }

  const length = (half?.bytes.length ?? 0) + part.bytes.length
  const tooLong = half?.tooLong === true || length > MAX_CODE
  const bytes = tooLong ? new Uint8Array() : join(half?.bytes, part.bytes)
  const symbology = half === null ? part.symbology : half.symbology
  if (part.more) return { half: { bytes, symbology, at, tooLong }, scan: null, losses }
  if (tooLong) return { half: null, scan: null, losses: [...losses, 'too long'] }
  const code = readText(bytes)
  return { half: null, scan: code === '' ? null : { code, symbology }, losses }
}

interface Part {
  readonly bytes: Uint8Array
  readonly symbology: string | null
  readonly more: boolean
}

function readPart(report: Uint8Array, layout: ReportLayout | null): Part | null {
  if (layout === null || (layout.reportId !== null && report[0] !== layout.reportId)) return null
  const length = report[layout.lengthAt]
  const room = Math.min(layout.dataSize, report.length - layout.dataAt)
  // A length beyond the report's room means that this is not a scan: half a code would only be refused.
  if (length === undefined || length > room) return null
  const aim = layout.aimAt === null ? null : readAim(report, layout.aimAt)
  const letter = layout.letterAt === null ? undefined : report[layout.letterAt]
  const { more } = layout
  return {
    bytes: report.slice(layout.dataAt, layout.dataAt + length),
    symbology: aim ?? AIM_OF_LETTER[String.fromCharCode(letter ?? 0)] ?? null,
    more: more !== null && (((report[more.at] ?? 0) >> more.bit) & 1) === 1,
  }
}

function readAim(report: Uint8Array, at: number): string | null {
  const text = String.fromCharCode(...report.subarray(at, at + 3))
  return /^\][A-Za-z][0-9A-Za-z]$/.test(text) ? text : null
}

function join(before: Uint8Array | undefined, after: Uint8Array): Uint8Array {
  return before === undefined ? after : Uint8Array.from([...before, ...after])
}

/** Scanners send UTF-8 or Latin-1 without saying which; a line end is a programmed suffix and not the code's. */
function readText(bytes: Uint8Array): string {
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    text = Buffer.from(bytes).toString('latin1')
  }
  return text.replace(/[\r\n]+$/, '')
}
