// Is told of a sale, and makes sure who says so: node receive-a-webhook.ts ADDRESS TOKEN
// The server has to be allowed to call this machine: serve --webhook-network 127.0.0.0/8
import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { ask, eventPath, organizerPath, productNamed, slug } from './api.ts'

/** A message: just enough to ask for the rest. */
interface Message {
  readonly notification_id: number
  readonly action: string
  readonly event: string
  readonly code: string
}

/** Whether a message was signed with a secret, and is not older than five minutes. */
function isGenuine(headers: IncomingMessage['headers'], body: string, secret: string): boolean {
  const timestamp = Number(headers['webhook-timestamp'])
  if (!(Math.abs(Date.now() / 1000 - timestamp) < 300)) return false
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`
  const expected = createHmac('sha256', key).update(signed).digest()
  // While a secret is replaced there are two signatures, and one of them has to fit.
  return String(headers['webhook-signature'])
    .split(' ')
    .map((one) => Buffer.from(one.replace('v1,', ''), 'base64'))
    .some((given) => given.length === expected.length && timingSafeEqual(given, expected))
}

let secret = ''
const seen = new Set<number>()
const { promise: told, resolve: tell } = Promise.withResolvers<Message>()

const receiver = createServer(async (request, response) => {
  let body = ''
  for await (const part of request.setEncoding('utf8')) body += part
  if (!isGenuine(request.headers, body, secret)) return response.writeHead(400).end()
  // Answer first, work later. Whatever is not 2xx is sent again.
  response.writeHead(204).end()
  const message: Message = JSON.parse(body)
  // The same message can come twice, with the same number.
  if (seen.has(message.notification_id)) return
  seen.add(message.notification_id)
  tell(message)
})
await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
const { port } = receiver.address() as AddressInfo

const hooks = `${await organizerPath()}/webhooks/`
const made = await ask<{ id: number; secret: string }>('POST', hooks, {
  target_url: `http://127.0.0.1:${port}/`,
  limit_events: [slug],
  action_types: ['ticketsvc.event.order.paid'],
})
// It is shown this once: keep it like a password.
secret = made.secret

const forged = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: '{}' })
console.log(`A message from somebody else is answered with ${forged.status}.`)

const event = await eventPath()
const entry = await productNamed(event, 'Entry')
await ask('POST', `${event}/orders/`, {
  email: 'dora@example.org',
  status: 'p',
  payment_provider: 'boxoffice',
  positions: [{ item: entry.id, attendee_name: 'Dora Eck' }],
})

const { action, code } = await told
const order = await ask<{ email: string; total: string }>('GET', `${event}/orders/${code}/`)
console.log(`${action}: ${order.email} has paid ${order.total}.`)

await ask('DELETE', `${hooks}${made.id}/`)
const { enabled } = await ask<{ enabled: boolean }>('GET', `${hooks}${made.id}/`)
console.log(enabled ? 'The webhook is still called.' : 'The webhook is not called any more.')
receiver.close()
