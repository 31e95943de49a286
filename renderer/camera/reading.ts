import type { ReaderOptions } from 'zxing-wasm/reader'

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
