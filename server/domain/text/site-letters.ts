/** Letters that nobody mixes up, as in the codes of orders; the first stands for zero. */
const letters = 'ABCDEFGHJKLMNPQRSTUVWXYZ3789'

/** How many letters of an order's code come before those that name its site. */
const before = 5

/** The letters that name a site in the codes of its orders: none for central, at most five for any other. */
export function siteLetters(site: number): string {
  let word = ''
  for (let rest = site; rest > 0; rest = Math.floor(rest / letters.length))
    word = letters.charAt(rest % letters.length) + word
  return word
}

/** Whether an order's code is one that a site makes by itself. */
export const isCodeOf = (code: string, site: number): boolean =>
  site > 0 && code.length > before && code.slice(before) === siteLetters(site)
