import { signal } from '@preact/signals'
import type { ShownPrintJob, ShownPrintJobs } from '../../schema/bodies/print-jobs.ts'
import { openPrintsApi } from '../api/prints-api.ts'

const api = openPrintsApi()

/** What is not printed at an entrance, or may not be; the same is known everywhere on the page. */
const jobs = signal<readonly ShownPrintJob[]>([])

/** A key that no other print has. */
export const printKey = (): string =>
  [...crypto.getRandomValues(new Uint8Array(12))].map((byte) => byte.toString(16).padStart(2, '0')).join('')

/** The prints of this station, as its entrance shows them. */
export const printsHere = {
  jobs,
  heard({ results }: ShownPrintJobs): void {
    jobs.value = results
  },
  async refresh(): Promise<void> {
    const answer = await api.list()
    if (answer.ok) jobs.value = answer.value.results
  },
  async decide(id: string, printed: boolean): Promise<void> {
    await api.decide(id, printed, '')
    await printsHere.refresh()
  },
  async withoutBackground({ id }: ShownPrintJob): Promise<void> {
    await api.printWithoutBackground(id)
    await printsHere.refresh()
  },
  /** Has printed what somebody has looked for and not found. */
  async again({ document, subject }: ShownPrintJob, locale: string): Promise<void> {
    const wanted = { document, locale, ...(subject === null ? {} : { subject }) }
    await api.print(wanted, { key: printKey(), stepUp: '' })
    await printsHere.refresh()
  },
}
