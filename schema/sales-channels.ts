/** Where something can be sold: the shop on the web, and the box office. */
export const salesChannelIdentifiers = ['web', 'boxoffice'] as const

/** One of the places where something can be sold. */
export type SalesChannel = (typeof salesChannelIdentifiers)[number]
