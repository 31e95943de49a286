import sql, { type Sql } from 'sql-template-tag'
import { inLanguage } from '../../domain/text/multilingual.ts'
import type { Place, Tx } from '../../resource/transactions.ts'

/** Names of products, variations and gates for the sentence that explains a rule. */
export async function labelsFor(tx: Tx, place: Place, locale: string) {
  const named = async (statement: Sql): Promise<Map<number, string>> => {
    const rows = await tx.all<{ id: number; name: string }>(statement)
    return new Map(rows.map((row) => [row.id, row.name]))
  }
  const inPlace = sql`organizer = ${place.organizer} AND event = ${place.event}`
  const products = await named(sql`SELECT id, name FROM item WHERE ${inPlace}`)
  const variations = await named(sql`SELECT id, value AS name FROM variation WHERE ${inPlace}`)
  const gates = await named(sql`SELECT id, name FROM gate WHERE organizer = ${place.organizer}`)
  return (kind: 'product' | 'variation' | 'gate', id: number): string | undefined => {
    if (kind === 'gate') return gates.get(id)
    const text = (kind === 'product' ? products : variations).get(id)
    return text === undefined ? undefined : inLanguage(JSON.parse(text), locale)
  }
}
