import { readFile } from 'node:fs/promises'
import { type Env, instantOf } from '../env.ts'
import { invoiceFiles } from '../exporters/invoices/invoice-files.ts'
import { receiptFiles } from '../exporters/receipts/receipt-files.ts'
import { ticketsFor } from '../exporters/tickets/order-tickets.ts'
import type { Log } from '../log.ts'
import { type Html, html } from '../pages/html.ts'
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
import { exportOfMail } from '../services/operations/export-runs.ts'
import type { Mailer } from './mailer.ts'
import { Worker } from './worker.ts'

/** How often is looked for mails, and for those that can be forgotten. */
const lookEvery = 5_000
const forgetEvery = 3_600_000

/** How many mails are under way at once. */
const together = 3

/** What the sending of mails needs. */
interface MailParts {
  readonly transactions: Transactions
  readonly env: Env
  readonly log: Log
  /** How mails go, or null where there is no way: then they wait. */
  readonly mailer: Mailer | null
  /** The address that mails come from where an organizer has none of its own. */
  readonly from: string
  /** Where the file of an export is; missing where no exports are made. */
  readonly pathOfExport?: (file: string) => string
}

/**
 * Sends mails for as long as the server runs; the result stops it and breaks off what is under way, which is sent again
 * at the next start. Does nothing on a node below another one.
 */
export function startMails(parts: MailParts): () => Promise<void> {
  const { transactions, env, log, mailer } = parts
  if (transactions.site !== 0) return async () => {}
  const now = (): string => instantOf(env.now())
  const warnOnce = warnerAbout(parts)
  let forgetAt = env.elapsed()
  const worker = new Worker<WaitingMail>({
    ...{ env, log, job: 'mails', every: lookEvery, atOnce: together },
    begin: () => transactions.write((tx) => releaseMails(tx, now())),
    async claim(room) {
      if (env.elapsed() >= forgetAt) {
        forgetAt = env.elapsed() + forgetEvery
        await forgetMails(transactions)
      }
      if (!mailer) await warnOnce()
      const items = mailer ? await transactions.write((tx) => claimMails(tx, now(), room)) : []
      return { items, more: items.length > 0 }
    },
    async work(mail, signal) {
      const outcome = signal.aborted || !mailer ? null : await attempt(parts, mailer, mail)
      // What was broken off by the end of the server is no failure of the mail.
      if (outcome === null || (signal.aborted && outcome.kind === 'later'))
        return transactions.write((tx) => releaseMail(tx, mail, now()))
      const state = await transactions.write((tx) => settleMail(tx, mail, outcome, now()))
      const facts = { mail: mail.id, template: mail.template, attempts: mail.attempts + 1 }
      if (state === 'waiting') log.warn('mail not sent yet', facts)
      if (state === 'refused') log.warn('mail refused', facts)
      if (state === 'given up') log.error('mail given up', facts)
    },
    describe: ({ id }) => ({ mail: id }),
  })
  return async () => {
    const stopped = worker.stop()
    mailer?.close()
    await stopped
  }
}

/** Says once in the log that mails wait and nothing sends them. */
function warnerAbout({ transactions, env, log }: MailParts): () => Promise<void> {
  let hasWarned = false
  return async () => {
    if (hasWarned || !(await isMailDue(transactions.database, instantOf(env.now())))) return
    log.warn('mails wait: start the server with GATEHOUSE_SMTP or --mail-folder')
    hasWarned = true
  }
}

/** Hands a mail to the mailer; what goes wrong before that is tried again as well. */
async function attempt(parts: MailParts, mailer: Mailer, mail: WaitingMail): Promise<MailOutcome> {
  const {
    transactions: { database },
    from,
  } = parts
  try {
    const sender = await senderOf(database, mail.organizer, mail.event)
    const address = sender.address ?? from
    return await mailer.send({
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
      attachments: [
        ...(mail.tickets === 1 ? await ticketsFor(database, mail) : []),
        ...(await invoiceFiles(database, mail)),
        ...(await receiptFiles(database, mail)),
        ...(await exportFiles(parts, mail)),
      ],
    })
  } catch (cause) {
    return { kind: 'later', why: cause instanceof Error ? cause.message : String(cause) }
  }
}

/** The file of the export that a mail is about; where this server does not have it, another one sends the mail. */
async function exportFiles(
  { transactions, pathOfExport }: MailParts,
  { organizer, export: id }: WaitingMail,
) {
  if (id === null) return []
  const run = await exportOfMail(transactions.database, organizer, id)
  if (!run || !pathOfExport) throw new Error('The file of the export is not there.')
  const content = await readFile(pathOfExport(run.file))
  const type = run.media_type ?? 'application/octet-stream'
  return [{ filename: run.file_name ?? 'export', content, type }]
}

/** The text of a mail as HTML: its paragraphs and lines, and what looks like an address on the web as a link. */
export function mailPage(text: string, locale: string): string {
  const paragraphs = text.split(/\n{2,}/).map((one) => html`<p>${linesOf(one)}</p>\n`)
  return html`<!doctype html>
<html lang="${locale}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"></head>
<body style="margin:0;padding:24px;background:#ffffff;color:#1a1a1a;font:16px/1.5 system-ui,sans-serif">
<div style="max-width:600px;margin:0 auto">
${paragraphs}</div></body></html>
`.text
}

const linesOf = (paragraph: string): Html[] =>
  paragraph.split('\n').map((line, index) => html`${index > 0 && html`<br>\n`}${linksIn(line)}`)

/** The pieces of a line, every second one an address. */
const linksIn = (line: string): (Html | string)[] =>
  line
    .split(/(https?:\/\/[^\s<>"']+[^\s<>"'.,;:!?)])/)
    .map((piece, index) => (index % 2 === 1 ? html`<a href="${piece}">${piece}</a>` : piece))
