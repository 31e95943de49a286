import sql, { join } from 'sql-template-tag'
import type { Place, Tx } from '../../resource/transactions.ts'
import type { Queryable } from '../../storage/database.ts'
import { alphabets, randomWord } from './secrets.ts'

/** What nobody wants to read on a ticket, a voucher or a gift card. */
const rudeWords: readonly string[] = [
  ...['ANAL', 'ANUS', 'ARSCH', 'ARSE', 'ASS', 'BUTT', 'CRAP', 'CUM', 'CUNT', 'DAMN', 'FAG', 'FART', 'FKK'],
  ...[
    'FUCK',
    'FUCKU',
    'FUK',
    'FUX',
    'GAY',
    'HELL',
    'KKK',
    'LSD',
    'NAZE',
    'NSDAP',
    'NSU',
    'NUDE',
    'PEE',
    'PENS',
  ],
  ...['PUSSY', 'RAPE', 'SEX', 'SHAT', 'SLUT', 'SPAST', 'SUCK', 'TWAT', 'URANUS', 'WANK', 'XXX'],
]

/** Whether a code that was made at random says something rude. */
export const isRude = (code: string): boolean => rudeWords.some((word) => code.toUpperCase().includes(word))

const codeLength = 16
const valuesPerQuery = 500

/** A code as it is stored and compared: small and capital letters are the same. */
export const storedCode = (code: string): string => code.trim().toUpperCase()

/** Those of some stored codes that vouchers of an event have already, and the ids of these vouchers. */
export async function takenVoucherCodes(
  db: Queryable,
  place: Place,
  codes: readonly string[],
): Promise<Map<string, number>> {
  const taken = new Map<string, number>()
  for (let first = 0; first < codes.length; first += valuesPerQuery) {
    const rows = await db.all<{ id: number; code: string }>(
      sql`SELECT id, code FROM voucher WHERE organizer = ${place.organizer} AND event = ${place.event}
            AND code IN (${join(codes.slice(first, first + valuesPerQuery))})`,
    )
    for (const { id, code } of rows) taken.set(code, id)
  }
  return taken
}

function inventCode(tx: Tx): string {
  for (;;) {
    const code = randomWord(tx.randomBytes, alphabets.voucherCode, codeLength)
    if (!isRude(code)) return code
  }
}

/** New codes for vouchers of an event: free, all different, and fit to be printed. */
export async function freshVoucherCodes(tx: Tx, place: Place, count: number): Promise<string[]> {
  const codes = new Set<string>()
  while (codes.size < count) {
    const invented = Array.from({ length: count - codes.size }, () => inventCode(tx))
    const taken = await takenVoucherCodes(tx, place, invented)
    for (const code of invented) if (!taken.has(code)) codes.add(code)
  }
  return [...codes]
}
