/** Where something can be sold: the shop on the web, and the box office. */
export const salesChannelIdentifiers = ['web', 'boxoffice'] as const
