import type { WebContents } from 'electron'
import type { PrintAnswer, Printer, PrintJob } from '../common/channels.ts'

/** The printers of this machine, by the name that printing takes. */
export async function listPrinters(contents: WebContents): Promise<readonly Printer[]> {
  const printers = await contents.getPrintersAsync()
  return printers.map(({ name, displayName }) => ({ name, label: displayName || name }))
}

/**
 * Prints what the window shows without asking. The paper's size is always given: without it a silent print
 * ignores what the printer is set to.
 */
export function printPage(contents: WebContents, job: PrintJob): Promise<PrintAnswer> {
  const pageSize = { width: Math.round(job.widthMm * 1000), height: Math.round(job.heightMm * 1000) }
  return new Promise((resolve) => {
    contents.print(
      {
        silent: true,
        deviceName: job.printer,
        printBackground: true,
        margins: { marginType: 'none' },
        pageSize,
        copies: job.copies,
      },
      (printed, reason) => resolve({ printed, reason: printed ? null : reason }),
    )
  })
}
