import { type Field, multilingual, nullable } from './fields.ts'
import type { Multilingual } from './multilingual.ts'

/** What mails are sent about. */
export const mailTemplates = [
  'order_placed',
  'order_paid',
  'order_incomplete_payment',
  'order_changed',
  'order_approved',
  'order_denied',
  'order_canceled',
  'order_tickets',
  'order_invoice',
  'invoice_copy',
  'receipt',
  'waiting_list_voucher',
  'team_invitation',
  'export_failed',
  'password_reset',
  'password_changed',
  'second_factor_on',
  'second_factor_off',
  'recovery_codes_new',
] as const

/** One thing that a mail is sent about. */
export type MailTemplate = (typeof mailTemplates)[number]

/** Those that organizers may word themselves, in settings named `mail_subject_…` and `mail_text_…`. */
const ownWordTemplates: readonly MailTemplate[] = mailTemplates.filter((name) =>
  /^(order_|waiting_list_)/.test(name),
)

type MailWord = `mail_${'subject' | 'text'}_${MailTemplate}`

/** The settings by which an organizer says something else than the usual words of mails. */
export const mailWords = Object.fromEntries(
  ownWordTemplates.flatMap((name) => [
    [`mail_subject_${name}`, { field: nullable(multilingual()), label: `Subject of the mail ${name}` }],
    [`mail_text_${name}`, { field: nullable(multilingual()), label: `Text of the mail ${name}` }],
  ]),
) as Readonly<Record<MailWord, { readonly field: Field<Multilingual | null>; readonly label: string }>>
