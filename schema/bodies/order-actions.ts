import { flag, json, money, nullable, text } from '../fields.ts'

/** What can be said with the cancellation or the denial of an order. */
export const cancellationInput = {
  comment: nullable(text({ default: '' })),
  cancellation_fee: nullable(money()),
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
