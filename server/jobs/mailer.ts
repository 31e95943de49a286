import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createTransport } from 'nodemailer'
import type { MailOutcome } from '../services/notifications/mail-delivery.ts'

/** A mail as it leaves the server. */
interface OutgoingMail {
  readonly id: number
  /** The same for each attempt, so that a mail that comes twice is seen to be one. */
  readonly messageId: string
  readonly from: { readonly name: string; readonly address: string }
  readonly replyTo: string | null
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
  readonly locale: string
  /** When it was written, in milliseconds since 1970. */
  readonly written: number
  readonly attachments: readonly {
    readonly filename: string
    readonly content: Uint8Array
    readonly type?: string
  }[]
}

/** A way for mails to go. */
export interface Mailer {
  send(mail: OutgoingMail): Promise<MailOutcome>
  /** Breaks off what is under way. */
  close(): void
}

/** How mails go: through a server at an `smtp://` or `smtps://` address, or into files of a folder. */
export type MailRoute =
  | { readonly kind: 'smtp'; readonly address: string }
  | { readonly kind: 'folder'; readonly folder: string }

const messageOf = (mail: OutgoingMail) => ({
  messageId: mail.messageId,
  date: new Date(mail.written),
  from: { ...mail.from },
  ...(mail.replyTo === null ? {} : { replyTo: mail.replyTo }),
  to: { name: '', address: mail.to },
  subject: mail.subject,
  text: mail.text,
  html: mail.html,
  headers: { 'Auto-Submitted': 'auto-generated', 'Content-Language': mail.locale },
  attachments: mail.attachments.map(({ filename, content, type = 'application/pdf' }) => ({
    filename,
    content: Buffer.from(content),
    contentType: type,
  })),
  // Nothing in a mail names a file or an address to be fetched.
  disableFileAccess: true,
  disableUrlAccess: true,
})

/** Opens a way for mails to go. */
export const openMailer = (route: MailRoute): Mailer =>
  route.kind === 'smtp' ? smtpMailer(route.address) : folderMailer(route.folder)

function smtpMailer(address: string): Mailer {
  const transport = createTransport({
    url: address,
    pool: true,
    maxConnections: 3,
    connectionTimeout: 20_000,
    greetingTimeout: 20_000,
    socketTimeout: 60_000,
  })
  // The transport lets a connection end what it is at, for as long as the other side likes.
  const closing = Promise.withResolvers<MailOutcome>()
  const attempt = async (mail: OutgoingMail): Promise<MailOutcome> => {
    try {
      await transport.sendMail(messageOf(mail))
      return { kind: 'sent' }
    } catch (cause) {
      return outcomeOf(cause)
    }
  }
  return {
    send: (mail) => Promise.race([attempt(mail), closing.promise]),
    close() {
      closing.resolve({ kind: 'later', why: 'The server was stopped.' })
      transport.close()
    },
  }
}

/** What a server's refusal means: one of the address is final, everything else may pass. */
function outcomeOf(cause: unknown): MailOutcome {
  const { code, responseCode, command, message } = cause as {
    readonly code?: unknown
    readonly responseCode?: unknown
    readonly command?: unknown
    readonly message?: unknown
  }
  const why = String(message ?? cause)
  const isFinal = typeof responseCode === 'number' && responseCode >= 550 && responseCode <= 559
  const isAboutAddress = code === 'EENVELOPE' && command === 'RCPT TO'
  return { kind: isFinal && isAboutAddress ? 'refused' : 'later', why }
}

function folderMailer(folder: string): Mailer {
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'windows' })
  return {
    async send(mail) {
      try {
        const { message } = await transport.sendMail(messageOf(mail))
        await mkdir(folder, { recursive: true })
        const file = join(folder, `${mail.id}.eml`)
        await writeFile(`${file}.part`, message as Buffer, { mode: 0o600 })
        await rename(`${file}.part`, file)
        return { kind: 'sent' }
      } catch (cause) {
        return { kind: 'later', why: cause instanceof Error ? cause.message : String(cause) }
      }
    },
    close: () => transport.close(),
  }
}
