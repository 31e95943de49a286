import { choice, datetime, flag, json, money, nullable, text } from '../fields.ts'
import { printTypes } from '../resources/orders/print-log.ts'

/** Whether the buyer gets a mail about what was done. */
export const mailInput = { send_email: flag(true) }

/** What can be said with the cancellation or the denial of an order. */
export const cancellationInput = {
  comment: nullable(text({ default: '' })),
  cancellation_fee: nullable(money()),
  ...mailInput,
}

/** Until which day an order may be paid; what is no day is refused in one sentence. */
export const extensionInput = {
  expires: json<unknown>({}, { default: null }),
  force: flag(false),
}

/**
 * The name of a block on a position: an administrator's, or that of some program; and whether the position makes room in
 * its quotas as long as it is blocked, where that is to change.
 */
export const blockInput = {
  name: text({ maxLength: 255, pattern: '^(admin|api:.+)$' }),
  ignore_from_quota_while_blocked: nullable(flag()),
}

/** What was printed for a ticket, by which program, and when if that was not now. */
export const printInput = {
  datetime: nullable(datetime()),
  source: text({ maxLength: 255 }),
  type: choice(printTypes),
  info: json<Record<string, unknown>>({ type: 'object' }, { default: {} }),
  successful: flag(true),
}
