import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader'
import wasmUrl from 'zxing-wasm/reader/zxing_reader.wasm?url'
import { closely, quickly } from './sightings.ts'

/** A frame sent to the decoder. */
export interface Frame {
  readonly bitmap: ImageBitmap
  readonly close: boolean
}

/** What the decoder says: what it saw in a frame, that it is ready, or that it cannot work. */
export type Seen =
  | { readonly type: 'ready' }
  | { readonly type: 'broken' }
  | { readonly type: 'frame'; readonly text: string | null; readonly symbology: string }

const report = (seen: Seen) => self.postMessage(seen)

const canvas = new OffscreenCanvas(1, 1)
const pixels = canvas.getContext('2d', { willReadFrequently: true, alpha: false })

prepareZXingModule({
  overrides: {
    locateFile: (file: string, prefix: string) => (file.endsWith('.wasm') ? wasmUrl : prefix + file),
  },
  fireImmediately: true,
}).then(
  () => report({ type: 'ready' }),
  () => report({ type: 'broken' }),
)

self.onmessage = async ({ data: { bitmap, close } }: MessageEvent<Frame>) => {
  canvas.width = bitmap.width
  canvas.height = bitmap.height
  pixels?.drawImage(bitmap, 0, 0)
  bitmap.close()
  try {
    const image = pixels?.getImageData(0, 0, canvas.width, canvas.height)
    const [found] = image ? await readBarcodes(image, close ? closely : quickly) : []
    report({ type: 'frame', text: found?.text || null, symbology: found?.symbologyIdentifier ?? '' })
  } catch {
    report({ type: 'broken' })
  }
}
