import { salesChannelIdentifiers } from '../../schema/sales-channels.ts'
import type { FieldErrors } from '../errors.ts'

const known: ReadonlySet<unknown> = new Set(salesChannelIdentifiers)

/** A message about the channels that do not exist, under the field that holds them; nothing when all do. */
export function unknownChannels(field: string, channels: unknown): FieldErrors {
  const unknown = (channels as readonly unknown[]).filter((channel) => !known.has(channel))
  return unknown.length === 0
    ? {}
    : { [field]: unknown.map((channel) => `There is no sales channel "${channel}".`) }
}
