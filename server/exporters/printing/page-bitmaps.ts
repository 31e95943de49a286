import { Worker } from 'node:worker_threads'
import type { Bitmap } from '../../domain/printers/bitmap.ts'
import { realEnv } from '../../env.ts'

/** How finely pages are drawn. */
export interface Resolution {
  readonly dpi: number
  /** So many dots across instead, whatever the size of the paper is. */
  readonly width?: number
  /** So many dots across at most: a page that is wider is made smaller. */
  readonly widest?: number
}

/** What the thread is asked for, one at a time. */
export interface DrawingTask extends Resolution {
  readonly pdf: Uint8Array
}

/** What it answers: the pages, or a sentence. */
export type DrawingAnswer = { readonly pages: readonly Bitmap[] } | { readonly failed: string }

/** A PDF that cannot be drawn; the message says why and what to do. */
export class UndrawablePdf extends Error {}

/** Milliseconds after which a PDF is given up: a page takes a hundredth of a second, on a slow machine a tenth. */
const drawWithin = 20_000

/** The thread was ended, or has broken down, while it drew. */
class ThreadLost extends Error {}

let thread: Worker | null = null
let last: Promise<unknown> = Promise.resolve()

/**
 * The pages of a PDF in dots. They are drawn by a thread that is started once, kept, and replaced where it breaks down.
 * Throws UndrawablePdf for a PDF that is damaged, protected, too large or never done.
 */
export function pageBitmaps(pdf: Uint8Array, resolution: Resolution): Promise<readonly Bitmap[]> {
  const pages = last.then(() => drawTwice({ ...resolution, pdf }))
  last = pages.catch(() => undefined)
  return pages
}

function keptThread(): Worker {
  thread ??= startThread()
  return thread
}

/** Ends the thread once it has drawn what it was asked for. */
export async function closePageBitmaps(): Promise<void> {
  await last
  await endPageBitmaps()
}

/** Ends the thread; what it draws is begun again in a new one. */
export async function endPageBitmaps(): Promise<void> {
  const ended = thread
  thread = null
  await ended?.terminate()
}

/** A thread that was lost says nothing about the PDF, unless it is lost again. */
async function drawTwice(task: DrawingTask): Promise<readonly Bitmap[]> {
  try {
    return await drawIn(keptThread(), task)
  } catch (cause) {
    if (!(cause instanceof ThreadLost)) throw cause
  }
  try {
    return await drawIn(keptThread(), task)
  } catch (cause) {
    if (!(cause instanceof ThreadLost)) throw cause
    throw new UndrawablePdf(
      'The PDF cannot be drawn: whatever is in it breaks the program that draws it. Save it anew, or use another one.',
    )
  }
}

function startThread(): Worker {
  const started = new Worker(new URL('./page-bitmaps-worker.ts', import.meta.url))
  // What is kept for later does not keep the program from ending.
  started.unref()
  started.on('error', () => undefined)
  started.on('exit', () => {
    if (thread === started) thread = null
  })
  return started
}

function drawIn(worker: Worker, task: DrawingTask): Promise<readonly Bitmap[]> {
  const { promise, resolve, reject } = Promise.withResolvers<readonly Bitmap[]>()
  const hear = (answer: DrawingAnswer): void => {
    if ('pages' in answer) resolve(answer.pages)
    else reject(new UndrawablePdf(answer.failed))
  }
  const lose = (): void => reject(new ThreadLost())
  const stop = realEnv.after(drawWithin, () => {
    reject(new UndrawablePdf('The PDF takes too long to be drawn. Save it anew, or use a simpler one.'))
    void endPageBitmaps()
  })
  worker.ref()
  worker.once('message', hear)
  worker.once('exit', lose)
  worker.postMessage(task)
  return promise.finally(() => {
    stop()
    worker.unref()
    worker.off('message', hear)
    worker.off('exit', lose)
  })
}
