import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { parentPort } from 'node:worker_threads'
import { type PDFiumDocument, PDFiumLibrary } from '@hyzyla/pdfium'
import { blackAndWhite } from '../../domain/printers/bitmap.ts'
import type { DrawingAnswer, DrawingTask } from './page-bitmaps.ts'

// Runs in a thread of its own, which is kept: what draws PDFs takes a fifth of a second to start, and may hang or break.

/** A page of more dots is a mistake: one of A4 at 600 dpi has 35 million. */
const mostDots = 40_000_000

const damaged =
  'The PDF cannot be drawn: it is damaged, or it is not a PDF. Open it in a viewer and save it anew.'

async function startDrawing(): Promise<PDFiumLibrary> {
  const wasm = await readFile(fileURLToPath(import.meta.resolve('@hyzyla/pdfium/pdfium.wasm')))
  return PDFiumLibrary.init({ wasmBinary: new Uint8Array(wasm).buffer })
}

const library = startDrawing()

async function draw(task: DrawingTask): Promise<DrawingAnswer> {
  const pdfium = await library
  const document = await pdfium.loadDocument(task.pdf).catch((cause: Error) => cause)
  if (document instanceof Error)
    return { failed: /password/i.test(document.message) ? 'The PDF is protected by a password.' : damaged }
  try {
    if (document.getPageCount() === 0) return { failed: damaged }
    return { pages: await pagesOf(document, task) }
  } catch (cause) {
    return { failed: cause instanceof RangeError ? cause.message : damaged }
  } finally {
    document.destroy()
  }
}

async function pagesOf(document: PDFiumDocument, { dpi, width, widest = Infinity }: DrawingTask) {
  const pages = []
  for (const page of document.pages()) {
    const { originalWidth, originalHeight } = page.getOriginalSize()
    const across = width ?? Math.min(widest, (originalWidth * dpi) / 72)
    const scale = across / originalWidth
    const size = {
      width: Math.max(1, Math.round(across)),
      height: Math.max(1, Math.round(originalHeight * scale)),
    }
    if (!(size.width * size.height <= mostDots))
      throw new RangeError('A page of the PDF is too large to be printed.')
    const { data } = await page.render({ ...size, scale: 1, render: 'bitmap', colorSpace: 'Gray' })
    pages.push(blackAndWhite({ ...size, pixels: data }))
  }
  return pages
}

parentPort?.on('message', async (task: DrawingTask) => parentPort?.postMessage(await draw(task)))
