import { fillWording } from '../../domain/notifications/mail-texts.ts'
import type { Actor } from '../../resource/actor.ts'
import type { EventFacts } from '../../resource/api.ts'
import type { Place, Tx } from '../../resource/transactions.ts'
import type { User } from '../accounts/users.ts'
import { queueMail, queueText } from '../notifications/mail-queue.ts'
import { occasionValues } from '../notifications/order-mails.ts'
import { exportRecipients, noteSchedule, type ScheduledExport, saveSchedule } from './scheduled-exports.ts'

/** A scheduled export where it belongs, and whose it is. */
export interface OwnedSchedule {
  readonly row: ScheduledExport
  readonly place: Place
  readonly event: EventFacts | null
  readonly owner: User
  readonly actor: Actor
}

/** Mails what came of a scheduled export: a mail for each recipient, who do not see the others. */
export async function mailSchedule(tx: Tx, at: OwnedSchedule, run: string): Promise<void> {
  const { row, place, event, owner } = at
  const { locale, mail_subject, mail_template } = row
  const values = event ? await occasionValues(tx, place, event, { locale }) : {}
  const filled = (text: string): string => fillWording({ [locale]: text }, locale, values)
  const mail = {
    template: 'scheduled_export',
    locale,
    subject: filled(mail_subject),
    text: filled(mail_template),
  }
  for (const to of exportRecipients(row, owner.email))
    await queueText(tx, place, { ...mail, to, export: run })
  await saveSchedule(tx, { ...row, error_counter: 0 })
  noteSchedule(tx, at, row, { done: 'executed' })
}

/** Tells the owner of a scheduled export why there is none; where there was nothing to export that is no error. */
export async function failSchedule(
  tx: Tx,
  at: OwnedSchedule,
  { why, isEmpty = false }: { readonly why: string; readonly isEmpty?: boolean },
): Promise<void> {
  const { row, place, owner } = at
  if (!isEmpty) await saveSchedule(tx, { ...row, error_counter: row.error_counter + 1 })
  noteSchedule(tx, at, row, { done: 'failed', why })
  if (owner.isDisabled) return
  const values = { export: row.mail_subject, reason: why }
  await queueMail(tx, place, { to: owner.email, template: 'export_failed', locale: row.locale, values })
}
