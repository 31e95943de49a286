import type { MailTemplate } from '../../../schema/mail-templates.ts'
import { type ServerTextKey, serverTranslator } from '../../../schema/texts/server.ts'
import { inLanguage } from '../text/multilingual.ts'

/** What an organizer writes in several languages, with `{placeholders}`. */
export type Wording = Readonly<Record<string, string>>

/** What placeholders stand for; in the text of an own mail others stay as they are written. */
export type MailValues = Readonly<Record<string, string>>

type Paragraph = Extract<ServerTextKey, `mail.${string}`>

const order = (...about: readonly Paragraph[]): readonly Paragraph[] => [
  'mail.greeting',
  ...about,
  'mail.order',
  'mail.farewell',
]

const account = (change: Paragraph): readonly Paragraph[] => ['mail.greeting', change, 'mail.if-not-you']

/** The paragraphs of each mail unless the organizer has other words. */
const letters: Readonly<Record<MailTemplate, readonly Paragraph[]>> = {
  order_placed: order('mail.order_placed'),
  order_paid: order('mail.order_paid'),
  order_incomplete_payment: order('mail.order_incomplete_payment'),
  order_changed: order('mail.order_changed'),
  order_approved: order('mail.order_approved'),
  order_denied: order('mail.order_denied', 'mail.comment'),
  order_canceled: order('mail.order_canceled', 'mail.comment'),
  order_tickets: order('mail.order_tickets'),
  order_invoice: order('mail.order_invoice'),
  invoice_copy: ['mail.invoice_copy'],
  receipt: ['mail.greeting', 'mail.receipt', 'mail.farewell'],
  waiting_list_voucher: [
    'mail.greeting',
    'mail.waiting_list_voucher',
    'mail.waiting_list_voucher.place',
    'mail.farewell',
  ],
  team_invitation: ['mail.team_invitation', 'mail.address', 'mail.team_invitation.end'],
  export_failed: ['mail.export_failed', 'mail.export_failed.reason', 'mail.export_failed.end'],
  password_reset: ['mail.password_reset', 'mail.address', 'mail.password_reset.end'],
  password_changed: account('mail.password_changed'),
  second_factor_on: account('mail.second_factor_on'),
  second_factor_off: account('mail.second_factor_off'),
  recovery_codes_new: account('mail.recovery_codes_new'),
}

/** Stands for an empty value until the lines that have nothing else are left out: a sign that nobody types. */
const blank = '\u{e000}'

const noValues = {
  ...{ name: blank, organizer: blank, event: blank, when: blank, where: blank, code: blank, total: blank },
  ...{
    expires: blank,
    comment: blank,
    invoice: blank,
    product: blank,
    valid_until: blank,
    voucher: blank,
    missing: blank,
    export: blank,
    reason: blank,
    team: blank,
  },
  ...{ url: blank, email: blank },
}

/** The subject and the text of a mail in our words. Empty values are left out as in those of an organizer. */
export function usualMail(
  template: MailTemplate,
  locale: string,
  values: MailValues,
): { readonly subject: string; readonly text: string } {
  const t = serverTranslator(locale)
  const given = Object.entries(values).map(([name, value]) => [name, value || blank])
  const all = { ...noValues, ...Object.fromEntries(given) }
  const paragraphs = letters[template].map((key) => t(key, all))
  return {
    subject: withoutBlanks(t(`mail.${template}.subject`, all)),
    text: withoutBlanks(paragraphs.join('\n\n')),
  }
}

/**
 * The words of an organizer in a language with their placeholders filled in. Lines and paragraphs whose only content was
 * an empty value are left out, as is a space left dangling in front of one.
 */
export function fillWording(wording: Wording, locale: string, values: MailValues): string {
  const text = inLanguage(wording, locale).replaceAll('\r\n', '\n')
  return withoutBlanks(
    text.replace(/\{([a-z_]+)\}/g, (found, name: string) =>
      Object.hasOwn(values, name) ? values[name] || blank : found,
    ),
  )
}

const withoutBlanks = (text: string): string =>
  text
    .split('\n')
    .map((line) => ({ line, filled: line.replaceAll(` ${blank}`, '').replaceAll(blank, '') }))
    .filter(({ line, filled }) => filled === line || filled.trim() !== '')
    .map(({ filled }) => filled)
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()

/** A subject: one line without anything that could begin another header. */
export const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim().slice(0, 250)
