import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { SampleTicket } from '../../domain/demo/samples.ts'
import { ticketSheetPdf } from './ticket-sheet.ts'
import { ticketPng } from './ticket-sheet-png.ts'

/** Where the sample tickets of the demo were written. */
export interface DemoSheet {
  readonly folder: string
  readonly pdf: string
  readonly pngs: readonly string[]
}

/** Writes the demo's sample tickets to try out: one sheet to print, and a picture of each to show to a camera. */
export async function writeDemoSheet(
  folder: string,
  tickets: readonly SampleTicket[],
  locale: string,
): Promise<DemoSheet> {
  await mkdir(folder, { recursive: true })
  const pdf = join(folder, 'tickets.pdf')
  await writeFile(pdf, await ticketSheetPdf(tickets, { title: 'Gatehouse demo', locale }))
  const pngs: string[] = []
  for (const [index, ticket] of tickets.entries()) {
    const file = join(folder, `ticket-${String(index + 1).padStart(2, '0')}.png`)
    await writeFile(file, await ticketPng(ticket))
    pngs.push(file)
  }
  return { folder, pdf, pngs }
}
