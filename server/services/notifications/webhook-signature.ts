import { Webhook } from 'standardwebhooks'
import type { RandomBytes } from '../codes/secrets.ts'

/** A new secret for signing messages: 256 bits of chance. */
export const newSecret = (randomBytes: RandomBytes): string =>
  `whsec_${Buffer.from(randomBytes(32)).toString('base64')}`

/**
 * The headers that say who sent a message and when: Standard Webhooks 1.0.0, one signature for each secret that is
 * valid. The time is in milliseconds since 1970.
 */
export function signatureHeaders(
  secrets: readonly string[],
  id: string,
  now: number,
  body: string,
): Record<string, string> {
  const signatures = secrets.map((secret) => new Webhook(secret).sign(id, new Date(now), body))
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(now / 1000)),
    'webhook-signature': signatures.join(' '),
  }
}
