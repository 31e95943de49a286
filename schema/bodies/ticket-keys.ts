import { signatureSchemes } from '../resources/checkin/event-key.ts'

/** The body of a request that gives an event a new key for a scheme. */
export const rotateKeyBody = {
  type: 'object',
  required: ['scheme'],
  properties: { scheme: { type: 'string', enum: signatureSchemes } },
} as const
