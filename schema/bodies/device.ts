import { json, nullable, text } from '../fields.ts'

/** What a device tells of itself. */
export const hardwareInput = {
  hardware_brand: text({ maxLength: 190 }),
  hardware_model: text({ maxLength: 190 }),
  software_brand: text({ maxLength: 190 }),
  software_version: text({ maxLength: 190 }),
  os_name: nullable(text({ default: '', maxLength: 190 })),
  os_version: nullable(text({ default: '', maxLength: 190 })),
  info: nullable(json<unknown>({})),
}

/** What a device sends to be admitted: the token that is good for once, and what it is. */
export const initializationInput = { token: text({ maxLength: 190 }), ...hardwareInput }
