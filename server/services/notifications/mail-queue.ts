import sql from 'sql-template-tag'
import type { MailTemplate } from '../../../schema/mail-templates.ts'
import { isMailAddress } from '../../domain/notifications/mail-schedule.ts'
import {
  fillWording,
  type MailValues,
  oneLine,
  usualMail,
  type Wording,
} from '../../domain/notifications/mail-texts.ts'
import type { Place, Tx } from '../../resource/transactions.ts'

/** A mail to somebody, in the words of a template. */
interface NewMail {
  readonly to: string
  readonly template: MailTemplate
  readonly locale: string
  readonly values: MailValues
  /** Other words than the usual ones. */
  readonly words?: Partial<Readonly<Record<'subject' | 'text', Wording | null>>>
  readonly about?: MailAbout
  /** As which print a receipt goes with it. */
  readonly receiptPrint?: number
}

/** The order, or the one position of it, that a mail is about. */
interface MailAbout {
  readonly order: number
  readonly position?: number
  /** Whether the tickets go with it, as far as there are any when it is sent. */
  readonly tickets: boolean
  /** The ids of the invoices that go with it. */
  readonly invoices?: readonly number[]
}

/**
 * Puts a mail into the queue, in the transaction of what it reports; it is sent after the commit, at least once. An
 * address that cannot be one is noted as refused. Below another server nothing is queued: mails are its concern.
 */
export async function queueMail(tx: Tx, place: Place, mail: NewMail): Promise<void> {
  if (tx.site !== 0) return
  const { template, locale, values, words, about, to } = mail
  const usual = usualMail(template, locale, values)
  await queueText(tx, place, {
    to,
    template,
    locale,
    subject: words?.subject ? fillWording(words.subject, locale, values) : usual.subject,
    text: words?.text ? fillWording(words.text, locale, values) : usual.text,
    ...(about ? { about } : {}),
    ...(mail.receiptPrint === undefined ? {} : { receiptPrint: mail.receiptPrint }),
  })
}

/** A mail whose words are final. */
interface TextMail extends Pick<NewMail, 'to' | 'locale' | 'about' | 'receiptPrint'> {
  readonly template: string
  readonly subject: string
  readonly text: string
  /** The id of the export whose file goes with it. */
  readonly export?: string
}

/** The same for a mail that is worded already. */
export async function queueText(tx: Tx, { organizer, event }: Place, mail: TextMail): Promise<void> {
  const { to, template, locale, subject, text, about, export: file = null } = mail
  const recipient = to.trim()
  const isFine = isMailAddress(recipient)
  await tx.run(
    sql`INSERT INTO mail (id, organizer, event, "template", "recipient", "locale", "subject", "text", order_id, position_id,
          "tickets", "invoices", "state", "attempts", "created", "due", "trouble", "export", receipt_print)
        VALUES (${tx.nextId()}, ${organizer}, ${event}, ${template}, ${recipient}, ${locale}, ${oneLine(subject)},
          ${isFine ? text : ''}, ${about?.order ?? null}, ${about?.position ?? null}, ${about?.tickets ? 1 : 0}, ${JSON.stringify(about?.invoices ?? [])},
          ${isFine ? 'waiting' : 'refused'}, 0, ${tx.now}, ${tx.now}, ${isFine ? null : 'This is not an address.'}, ${file},
          ${mail.receiptPrint ?? null})`,
  )
}
