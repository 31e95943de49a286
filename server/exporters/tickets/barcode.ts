import bwipjs from 'bwip-js/node'

/** The symbologies that scanners and cameras at an entrance read. */
export type Symbology = 'qrcode' | 'azteccode' | 'pdf417' | 'code128'

/**
 * How each is drawn: quiet zone in modules, and modules per unit of the library's scale (it draws the modules of
 * QR and Aztec twice as wide). The quiet zones are those of ISO/IEC 18004, 24778 (none needed), 15438 and 15417.
 */
const drawing = {
  qrcode: { quiet: 4, unit: 2, options: { eclevel: 'M' } },
  azteccode: { quiet: 2, unit: 2, options: {} },
  pdf417: { quiet: 2, unit: 1, options: { columns: 4 } },
  code128: { quiet: 10, unit: 1, options: { height: 12 } },
} as const satisfies Record<Symbology, object>

/** A PNG of a code, black on white with its quiet zone. `scale` 4 makes QR modules of 8 pixels. Rejects what the symbology cannot hold. */
export async function barcodePng(
  symbology: Symbology,
  text: string,
  { scale = 4 } = {},
): Promise<Uint8Array> {
  const { quiet, unit, options } = drawing[symbology]
  const look = { scale, padding: quiet * unit, backgroundcolor: 'FFFFFF', barcolor: '000000' }
  return bwipjs.toBuffer({ bcid: symbology, text, ...look, ...options })
}

/** A PNG of a QR code with error correction level M. */
export async function qrPng(text: string, { scale = 4 } = {}): Promise<Uint8Array> {
  return barcodePng('qrcode', text, { scale })
}

/** The modules of a QR code by row, true is dark, without quiet zone. Throws when the text is empty or longer than about 2,300 bytes. */
export function qrModules(text: string): boolean[][] {
  const [symbol] = bwipjs.raw({ bcid: 'qrcode', text, ...drawing.qrcode.options })
  if (!symbol || !('pixs' in symbol)) throw new Error('the barcode library returned no matrix')
  const { pixs, pixx, pixy } = symbol
  return Array.from({ length: pixy }, (_, row) =>
    pixs.slice(row * pixx, (row + 1) * pixx).map((dark) => dark === 1),
  )
}

/** Light modules that a QR code needs on every side. */
export const quietZone = drawing.qrcode.quiet

/** Whether a module of a QR code with its quiet zone is dark; counted from the corner of the quiet zone. */
function isDark(modules: readonly (readonly boolean[])[], row: number, column: number): boolean {
  return modules[row - quietZone]?.[column - quietZone] ?? false
}

/**
 * A QR code for a terminal: lines of half blocks, two rows of modules each, with the quiet zone. With `colour` the
 * escape sequences for black on white make it right on any terminal; without, it is plain text in which the light
 * modules are the ones drawn, right where letters are lighter than their background.
 */
export function qrForTerminal(text: string, { colour = false } = {}): string {
  const modules = qrModules(text)
  const size = modules.length + 2 * quietZone
  const drawn = (row: number, column: number) => row < size && isDark(modules, row, column) === colour
  const lines = Array.from({ length: Math.ceil(size / 2) }, (_, line) =>
    Array.from({ length: size }, (_, column) => {
      const upper = drawn(2 * line, column)
      const lower = drawn(2 * line + 1, column)
      return upper ? (lower ? '█' : '▀') : lower ? '▄' : ' '
    }).join(''),
  )
  return lines.map((line) => (colour ? `\u001b[30;107m${line}\u001b[0m\n` : `${line}\n`)).join('')
}
