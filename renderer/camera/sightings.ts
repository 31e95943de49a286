import type { ReaderOptions } from 'zxing-wasm/reader'
import type { Sighting } from '../scanning/intake.ts'

/**
 * Decides which of the codes that the camera sees are scans. A code is one when it comes into view, and again
 * only after it was out of view for a while. Linear codes are misread easily, so that one of them counts when
 * two frames in a row agree.
 */

/** What the camera has seen lately. */
interface Sightings {
  /** When each code was last in view, in milliseconds. */
  readonly seen: ReadonlyMap<string, number>
  /** The linear code of the frame before, still to be confirmed. */
  readonly candidate: string | null
  /** Frames without a code since the last one that had one. */
  readonly empty: number
}

/** Milliseconds that a code must have been out of view to count again. */
export const forgetAfter = 3000

/** Nothing seen yet. */
export const nothingSeen: Sightings = { seen: new Map(), candidate: null, empty: 0 }

/** Every fifth empty frame is worth a closer look: white on black, damaged, small. */
export const lookCloser = (sightings: Sightings): boolean => sightings.empty % 5 === 4

const linear = (symbology: string): boolean => /^\][ACEFGHI]/.test(symbology)

/** Takes note of one frame; gives the scan if it is one. */
export function look(
  before: Sightings,
  sighting: Sighting | null,
  at: number,
): { readonly sightings: Sightings; readonly scan: Sighting | null } {
  if (!sighting) return { sightings: { ...before, candidate: null, empty: before.empty + 1 }, scan: null }
  const seen = new Map([...before.seen].filter(([, last]) => at - last < forgetAfter))
  if (seen.has(sighting.text)) {
    seen.set(sighting.text, at)
    return { sightings: { seen, candidate: null, empty: 0 }, scan: null }
  }
  if (linear(sighting.symbology) && before.candidate !== sighting.text)
    return { sightings: { seen, candidate: sighting.text, empty: 0 }, scan: null }
  seen.set(sighting.text, at)
  return { sightings: { seen, candidate: null, empty: 0 }, scan: sighting }
}

/** What is read quickly in every frame: the codes that tickets carry, one at a time. */
export const quickly: ReaderOptions = {
  formats: ['QRCode', 'Aztec', 'PDF417', 'Code128'],
  maxNumberOfSymbols: 1,
  tryHarder: false,
  tryInvert: false,
  textMode: 'Plain',
}

/** The closer look: slower, also white on black. */
export const closely: ReaderOptions = { ...quickly, tryHarder: true, tryInvert: true }
