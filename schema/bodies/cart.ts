import { datetime, flag, json, money, nullable, ref, text } from '../fields.ts'
import { salesChannelIdentifiers } from '../sales-channels.ts'

/** The most lines of carts that one request fills, add-ons and bundled products among them. */
export const mostCartLines = 500

const list = () => nullable(json<unknown[]>({ type: 'array', maxItems: 100 }))

/** What is said of every line of a cart, those that come with another one included. */
export const cartLineInput = {
  item: ref('item'),
  variation: nullable(ref('variation')),
  subevent: nullable(ref('subevent')),
  /** Any amount is believed. */
  price: money(),
  includes_tax: flag(true),
  attendee_name: nullable(text({ default: '', maxLength: 255 })),
  attendee_name_parts: nullable(
    json<Record<string, string>>({
      type: 'object',
      maxProperties: 20,
      additionalProperties: { type: 'string', maxLength: 255 },
    }),
  ),
  attendee_email: nullable(text({ maxLength: 254, format: 'email' })),
  answers: list(),
}

/** A cart position that is created, with what comes with it as objects of the shape above. */
export const cartInput = {
  ...cartLineInput,
  cart_id: nullable(text({ maxLength: 255 })),
  expires: nullable(datetime()),
  /** The name of a seat in its plan. */
  seat: nullable(text({ maxLength: 190 })),
  /** The code of a voucher. */
  voucher: nullable(text({ maxLength: 255 })),
  sales_channel: nullable(text({ maxLength: 190 })),
  addons: list(),
  bundled: list(),
}

/** The sales channel of whoever does not say. */
export const usualChannel: string = salesChannelIdentifiers[0]
