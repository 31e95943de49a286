import { integer } from '../fields.ts'

const day = 86_400

/** What may be said when a webhook gets a new secret. */
export const rotationInput = {
  /** Seconds for which messages are signed with the secret before it as well. */
  keep_former_seconds: integer({ default: day, minimum: 0, maximum: 30 * day }),
}
