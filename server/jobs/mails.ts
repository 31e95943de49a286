import { type Env, instantOf } from '../env.ts'
import { ticketsFor } from '../exporters/tickets/order-tickets.ts'
import type { Log } from '../log.ts'
import { mailPage } from '../pages/mail.ts'
import type { Transactions } from '../resource/transactions.ts'
import {
  claimMails,
  forgetMails,
  isMailDue,
  type MailOutcome,
  releaseMail,
  releaseMails,
  senderOf,
  settleMail,
  type WaitingMail,
} from '../services/notifications/mail-delivery.ts'
import type { Mailer } from './mailer.ts'

/** How often is looked for mails, and for those that can be forgotten. */
const lookEvery = 5_000
const forgetEvery = 3_600_000

/** How many mails are under way at once. */
const together = 3

/** What the sending of mails needs. */
export interface MailParts {
  readonly transactions: Transactions
  readonly env: Env
  readonly log: Log
  /** How mails go, or null where there is no way: then they wait. */
  readonly mailer: Mailer | null
  /** The address that mails come from where an organizer has none of its own. */
  readonly from: string
}

/**
 * Sends mails for as long as the server runs; the result stops it and breaks off what is under way, which is sent again
 * at the next start. Does nothing on a node below another one.
 */
export function startMails({ transactions, env, log, mailer, from }: MailParts): () => Promise<void> {
  if (transactions.site !== 0) return async () => {}
  const { database } = transactions
  let stopped = false
  let stopTimer = (): void => {}
  let forgetAt = env.elapsed()
  let hasWarned = false
  const now = (): string => instantOf(env.now())
  let working = begin()

  async function begin(): Promise<void> {
    try {
      await transactions.write((tx) => releaseMails(tx, now()))
    } catch (cause) {
      tell(cause)
    }
    await look()
  }

  function tell(cause: unknown): void {
    log.error('job failed', { job: 'mails', stack: cause instanceof Error ? cause.stack : String(cause) })
  }

  async function look(): Promise<void> {
    try {
      await work()
    } catch (cause) {
      tell(cause)
    }
    if (!stopped)
      stopTimer = env.after(lookEvery, () => {
        working = look()
      })
  }

  async function work(): Promise<void> {
    if (env.elapsed() >= forgetAt) {
      forgetAt = env.elapsed() + forgetEvery
      await forgetMails(transactions)
    }
    if (!mailer) return warnOnce()
    while (!stopped) {
      const mails = await transactions.write((tx) => claimMails(tx, now(), together))
      if (mails.length === 0) return
      const sent = await Promise.allSettled(mails.map((mail) => send(mailer, mail)))
      for (const one of sent) if (one.status === 'rejected') throw one.reason
    }
  }

  async function warnOnce(): Promise<void> {
    if (hasWarned || !(await isMailDue(database, now()))) return
    log.warn('mails wait: start the server with GATEHOUSE_SMTP or --mail-folder')
    hasWarned = true
  }

  async function send(way: Mailer, mail: WaitingMail): Promise<void> {
    const outcome = stopped ? null : await attempt(way, mail)
    // What was broken off by the end of the server is no failure of the mail.
    if (outcome === null || (stopped && outcome.kind === 'later'))
      return transactions.write((tx) => releaseMail(tx, mail, now()))
    const state = await transactions.write((tx) => settleMail(tx, mail, outcome, now()))
    const facts = { mail: mail.id, template: mail.template, attempts: mail.attempts + 1 }
    if (state === 'waiting') log.warn('mail not sent yet', facts)
    if (state === 'refused') log.warn('mail refused', facts)
    if (state === 'given up') log.error('mail given up', facts)
  }

  async function attempt(way: Mailer, mail: WaitingMail): Promise<MailOutcome> {
    try {
      const sender = await senderOf(database, mail.organizer, mail.event)
      const address = sender.address ?? from
      return await way.send({
        id: mail.id,
        messageId: `<mail-${mail.id}-${mail.created.replace(/\D/g, '')}@${address.slice(address.lastIndexOf('@') + 1)}>`,
        from: { name: sender.name, address },
        replyTo: sender.replyTo,
        to: mail.recipient,
        subject: mail.subject,
        text: mail.text,
        html: mailPage(mail.text, mail.locale),
        locale: mail.locale,
        written: Date.parse(mail.created),
        attachments: mail.tickets === 1 ? await ticketsFor(database, mail) : [],
      })
    } catch (cause) {
      return { kind: 'later', why: cause instanceof Error ? cause.message : String(cause) }
    }
  }

  return async () => {
    stopped = true
    stopTimer()
    mailer?.close()
    await working
  }
}
