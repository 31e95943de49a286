/** Through which channels something is sold: through all that there are, or through some. */
export interface SoldThrough {
  readonly all_sales_channels: boolean
  /** Where it is sold through all of them: those that there were when that was said. */
  readonly sales_channels: readonly string[]
}

/** What is stored of the channels, or what is wrong with those that were sent, by field. */
type ReadChannels =
  | { readonly channels: { readonly all_sales_channels: boolean; readonly sales_channels: string[] } }
  | { readonly errors: Record<string, string[]> }

/** Whether something is sold through a channel. */
export const isSoldThrough = (
  { all_sales_channels: all, sales_channels: some }: SoldThrough,
  channel: string,
): boolean => all || some.includes(channel)

/** The channels that something is sold through, of those that there are: first those that were named. */
export const channelsThrough = (
  { all_sales_channels: all, sales_channels: some }: SoldThrough,
  existing: ReadonlySet<string>,
): string[] => (all ? [...new Set([...some.filter((one) => existing.has(one)), ...existing])] : [...some])

const sameSet = (one: readonly string[], other: ReadonlySet<string>): boolean => {
  const mine = new Set(one)
  return mine.size === other.size && [...mine].every((channel) => other.has(channel))
}

const isTextList = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string')

/**
 * Reads in which channels something is sold from a body that says so in either of two spellings: as `sales_channels`,
 * or as `all_sales_channels` and `limit_sales_channels`. The list of all channels means all of them, also later ones.
 */
export function readChannels(
  body: Readonly<Record<string, unknown>>,
  next: SoldThrough,
  before: SoldThrough | undefined,
  existing: ReadonlySet<string>,
): ReadChannels {
  const said = (name: string): boolean => Object.hasOwn(body, name)
  const limit = said('limit_sales_channels') ? body.limit_sales_channels : []
  if (!isTextList(limit)) return { errors: { limit_sales_channels: ['Expected a list of sales channels.'] } }
  const all = said('all_sales_channels') && next.all_sales_channels
  if (said('sales_channels')) {
    const isWhole = sameSet(next.sales_channels, existing)
    if (all && !isWhole)
      return { errors: { all_sales_channels: ['sales_channels names only some of the sales channels.'] } }
    if (limit.length > 0 && !sameSet(limit, new Set(next.sales_channels)))
      return { errors: { limit_sales_channels: ['sales_channels names other sales channels.'] } }
    return { channels: { all_sales_channels: isWhole, sales_channels: [...next.sales_channels] } }
  }
  if (all) return { channels: { all_sales_channels: true, sales_channels: [...existing].sort() } }
  if (said('limit_sales_channels'))
    return { channels: { all_sales_channels: false, sales_channels: [...limit] } }
  if (said('all_sales_channels') && (before?.all_sales_channels ?? true))
    return { channels: { all_sales_channels: false, sales_channels: [] } }
  const { all_sales_channels, sales_channels } = next
  return { channels: { all_sales_channels, sales_channels: [...sales_channels] } }
}
