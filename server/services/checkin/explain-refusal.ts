import sql, { type Sql } from 'sql-template-tag'
import type { Circumstances } from '../../domain/checkin/checkin.ts'
import { explainRules } from '../../domain/rules/explanation.ts'
import type { Labels } from '../../domain/rules/failures.ts'
import { inLanguage } from '../../domain/text/multilingual.ts'
import type { Place, Tx } from '../../resource/transactions.ts'
import type { ScanRefusal } from './redeem-records.ts'

/** A refusal with its explanation: one by the rules of the list names products, variations and gates. */
export async function explainRefusal(
  tx: Tx,
  place: Place,
  { list, ticket, priorCheckins, times, scan, locale }: Circumstances,
  refusal: ScanRefusal,
): Promise<ScanRefusal> {
  if (refusal.reason !== 'rules') return refusal
  const { item: product, variation } = ticket
  const facts = { product, variation, gate: scan.gate, now: scan.at, priorCheckins, times }
  const explanation = explainRules(list.rules, facts, locale, await labelsFor(tx, place, locale))
  return { reason: refusal.reason, explanation }
}

/** Names of products, variations and gates for the sentence that explains a rule. */
async function labelsFor(tx: Tx, place: Place, locale: string): Promise<Labels> {
  const named = async (statement: Sql): Promise<Map<number, string>> => {
    const rows = await tx.all<{ id: number; name: string }>(statement)
    return new Map(rows.map((row) => [row.id, row.name]))
  }
  const inPlace = sql`organizer = ${place.organizer} AND event = ${place.event}`
  const products = await named(sql`SELECT id, name FROM item WHERE ${inPlace}`)
  const variations = await named(sql`SELECT id, value AS name FROM variation WHERE ${inPlace}`)
  const gates = await named(sql`SELECT id, name FROM gate WHERE organizer = ${place.organizer}`)
  return (kind, id) => {
    if (kind === 'gate') return gates.get(id)
    const text = (kind === 'product' ? products : variations).get(id)
    return text === undefined ? undefined : inLanguage(JSON.parse(text), locale)
  }
}
