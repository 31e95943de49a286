import { hardwareInput, initializationInput } from '../bodies/device.ts'
import { text } from '../fields.ts'
import { bodySchema, type Json } from '../json-schema.ts'
import { teamToken } from '../resources/accounts/team-token.ts'
import { event } from '../resources/events/event.ts'

/** What a device sends to be admitted. */
export const initializationBody = bodySchema(initializationInput)

/** What a device tells of itself. */
export const hardwareBody = bodySchema(hardwareInput)

/** Who is to belong to a team. */
export const inviteBody = bodySchema({ email: text({ maxLength: 254, format: 'email' }) })

/** A token that is made. */
export const tokenBody = bodySchema(teamToken.fields)

/** An event that is made after another one. */
export const cloneBody = bodySchema(event.fields)

const words = { type: 'string' }

/** What a program sends for tokens, as a form. */
export const tokenForm: Json = {
  type: 'object',
  properties: {
    grant_type: { type: 'string', enum: ['authorization_code', 'refresh_token'] },
    code: words,
    redirect_uri: words,
    code_verifier: words,
    refresh_token: words,
    scope: words,
    client_id: words,
  },
  required: ['grant_type'],
}

/** What a program sends to end a token, as a form. */
export const tokenToRevoke: Json = {
  type: 'object',
  properties: { token: words, client_id: words },
  required: ['token'],
}
