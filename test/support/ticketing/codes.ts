import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { PNG } from 'pngjs'
import { prepareZXingModule, type ReadInputBarcodeFormat, readBarcodes } from 'zxing-wasm/reader'

const wasm = fileURLToPath(import.meta.resolve('zxing-wasm/reader/zxing_reader.wasm'))
prepareZXingModule({ overrides: { wasmBinary: new Uint8Array(readFileSync(wasm)).buffer } })

/** The texts of all codes in a PNG, or of those of some kinds, as a camera would read them. */
export async function textsIn(png: Uint8Array, formats: ReadInputBarcodeFormat[] = []): Promise<string[]> {
  const found = await readBarcodes(png, { tryHarder: true, maxNumberOfSymbols: 50, formats })
  return found.map(({ text }) => text)
}

const unit = 6

/** What lines of half blocks look like on a terminal that writes white on black, as a PNG. */
export function terminalPicture(lines: readonly string[]): Uint8Array {
  const width = Math.max(...lines.map((line) => line.length)) * unit
  const image = new PNG({ width, height: lines.length * 2 * unit })
  for (let y = 0; y < image.height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const block = lines[Math.floor(y / unit / 2)]?.[Math.floor(x / unit)] ?? ' '
      const drawn = block === '█' || block === (Math.floor(y / unit) % 2 === 0 ? '▀' : '▄')
      const light = drawn ? 255 : 0
      image.data.set([light, light, light, 255], 4 * (y * width + x))
    }
  }
  return PNG.sync.write(image)
}
