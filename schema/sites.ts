/** How many ids a site can make: an id is `site × siteSpan + n`. */
export const siteSpan = 2 ** 32

/** The site that made an id. */
export const siteOf = (id: number): number => Math.floor(id / siteSpan)
