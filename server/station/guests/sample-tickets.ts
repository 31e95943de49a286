import sql, { join } from 'sql-template-tag'
import type { ShownSample } from '../../../schema/bodies/guests.ts'
import { languageOf } from '../../../schema/texts/translate.ts'
import { qrModules } from '../../exporters/tickets/barcode.ts'
import { findDemo } from '../../services/import/demo.ts'
import { type Looking, outlookOf } from './ticket-outlook.ts'

/** The tickets to try out, those that are made for the station's lists first; none where its event is not the demo itself. */
export async function sampleTicketsAt(looking: Looking): Promise<ShownSample[]> {
  const { transactions, settings, lists } = looking
  const { organizer, event, locale } = settings
  const demo = await findDemo(transactions)
  if (!demo || demo.place.organizer !== organizer || demo.place.event !== event) return []
  const samples = demo.samples[languageOf(locale)] ?? demo.samples.en
  const rows = await transactions.database.all<{ id: number; secret: string }>(
    sql`SELECT id, secret FROM order_position WHERE organizer = ${organizer} AND event = ${event}
          AND secret IN (${join(samples.map(({ code }) => code))})`,
  )
  const ids = new Map(rows.map(({ id, secret }) => [secret, id]))
  const isForList = (note: string): boolean => lists.some(({ name }) => note.startsWith(`${name}: `))
  const sorted = samples.toSorted((a, b) => Number(isForList(b.note)) - Number(isForList(a.note)))
  const shown: ShownSample[] = []
  for (const { code, name, product } of sorted) {
    const id = ids.get(code)
    if (id === undefined) continue
    const qr = qrModules(code).map((row) => row.map((dark) => (dark ? '1' : '0')).join(''))
    shown.push({ code, name, product, outlook: await outlookOf(looking, { id, secret: code }), qr })
  }
  return shown
}
