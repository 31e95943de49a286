import { createHmac } from 'node:crypto'
import type { RandomBytes } from '../codes/secrets.ts'

const prefix = 'whsec_'

/** A new secret for signing messages: 256 bits of chance. */
export const newSecret = (randomBytes: RandomBytes): string =>
  prefix + Buffer.from(randomBytes(32)).toString('base64')

/**
 * The headers that say who sent a message and when: Standard Webhooks 1.0.0, HMAC-SHA256 (`v1`) over
 * `id.timestamp.body`, one signature for each secret that is valid. The time is in milliseconds since 1970.
 */
export function signatureHeaders(
  secrets: readonly string[],
  id: string,
  now: number,
  body: string,
): Record<string, string> {
  const timestamp = String(Math.floor(now / 1000))
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(prefix.length), 'base64')
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
  })
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') }
}
