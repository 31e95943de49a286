import sql from 'sql-template-tag'
import { type KioskResult, refusalCode } from '../../../schema/bodies/kiosk.ts'
import type { ScanResult } from '../../../schema/bodies/scan-result.ts'
import type { Queryable } from '../../storage/database.ts'

/** What a guest is shown of their check-in: nobody's name where it was refused, and nothing of other people at all. */
export async function guestView(
  db: Queryable,
  organizer: number,
  result: ScanResult,
): Promise<Omit<KioskResult, 'name_parts' | 'prints'>> {
  const { nonce, status, reason, position, signed } = result
  const ticket = position ?? signed
  const isRefused = status === 'error'
  const order = position
    ? await db.get<{ locale: string }>(
        sql`SELECT o.locale FROM order_position p JOIN orders o ON o.organizer = p.organizer AND o.id = p.order_id
            WHERE p.organizer = ${organizer} AND p.id = ${position.id}`,
      )
    : undefined
  return {
    nonce,
    status,
    reason: isRefused ? (reason ?? 'error') : null,
    code: isRefused ? refusalCode(reason ?? 'error') : null,
    name: isRefused ? null : (position?.attendee_name ?? null),
    ticket:
      ticket && !isRefused
        ? {
            item_name: ticket.item_name,
            variation_name: ticket.variation_name,
            seat: position?.seat?.name ?? null,
          }
        : null,
    locale: order?.locale ?? null,
    questions: result.questions,
  }
}
