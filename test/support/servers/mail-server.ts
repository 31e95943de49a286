import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer } from 'smtp-server'

/** A mail as the server got it: whom it was said to be for, and what is in it. */
interface Received extends Email {
  readonly recipients: readonly string[]
}

/** A real SMTP server on this machine. */
export interface MailServer {
  /** Where it listens, as `smtp://…`. */
  readonly address: string
  readonly received: readonly Received[]
  /** What it answers to addresses that begin with some word: the code of a refusal. */
  readonly refusals: Map<string, number>
  /** Whether it takes a mail and then never answers, from now on. */
  stall(isStalling: boolean): void
  /** Resolves when somebody waits for an answer that does not come. */
  readonly stalled: Promise<void>
  close(): Promise<void>
}

/** Starts one; with credentials it wants those. */
export async function startMailServer(credentials?: { user: string; pass: string }): Promise<MailServer> {
  const received: Received[] = []
  const refusals = new Map<string, number>()
  const stalled = Promise.withResolvers<void>()
  let isStalling = false
  const server = new SMTPServer({
    authOptional: credentials === undefined,
    allowInsecureAuth: true,
    disabledCommands: ['STARTTLS'],
    closeTimeout: 200,
    onAuth: (given, _session, answer) =>
      given.username === credentials?.user && given.password === credentials?.pass
        ? answer(null, { user: given.username })
        : answer(Object.assign(new Error('Wrong name or password.'), { responseCode: 535 })),
    onRcptTo: ({ address }, _session, answer) => {
      const [, responseCode] = [...refusals].find(([word]) => address.startsWith(word)) ?? []
      answer(
        responseCode === undefined ? null : Object.assign(new Error('No such mailbox.'), { responseCode }),
      )
    },
    onData(stream, session, answer) {
      const parts: Buffer[] = []
      stream.on('data', (part: Buffer) => parts.push(part))
      stream.on('end', async () => {
        if (isStalling) {
          stalled.resolve()
          return
        }
        const mail = await new PostalMime().parse(Buffer.concat(parts))
        received.push({ ...mail, recipients: session.envelope.rcptTo.map(({ address }) => address) })
        answer(null)
      })
    },
  })
  server.on('error', () => {})
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  const { port } = server.server.address() as AddressInfo
  const login = credentials ? `${credentials.user}:${credentials.pass}@` : ''
  return {
    address: `smtp://${login}127.0.0.1:${port}`,
    received,
    refusals,
    stall(value) {
      isStalling = value
    },
    stalled: stalled.promise,
    close: () => new Promise((resolve) => server.close(resolve)),
  }
}
