import { cleanCell, looseKey } from './text.ts'
import type { TitleMeaning } from './words.ts'
import { buyerWords, guestWords, linkingWords, titles, vagueTitles } from './words.ts'

/** What a title means, and how well it says so: 3 says "guest", 2 is plain, 1 is vague, 0 is about the buyer. */
export interface TitleMatch {
  readonly meaning: TitleMeaning
  readonly rank: 0 | 1 | 2 | 3
}

const plain = meaningsOf(titles)
const vague = meaningsOf(vagueTitles)
const guest = keysOf(guestWords)
const buyer = keysOf(buyerWords)
const linking = keysOf(linkingWords)

/** The loose keys of words separated by semicolons, longest first. */
export function keysOf(words: string): string[] {
  const keys = words.split(';').map(looseKey)
  return keys.filter((key) => key !== '').sort((a, b) => b.length - a.length)
}

function meaningsOf(
  table: Readonly<Partial<Record<TitleMeaning, string>>>,
): ReadonlyMap<string, TitleMeaning> {
  const entries = Object.entries(table) as [TitleMeaning, string][]
  return new Map(entries.flatMap(([meaning, words]) => keysOf(words).map((key) => [key, meaning] as const)))
}

/** What a column's title means in any of the known languages; undefined for a title that nobody knows. */
export function matchTitle(title: string): TitleMatch | undefined {
  const clean = cleanCell(title)
  const whole = looseKey(clean)
  const meaning = plain.get(whole)
  if (meaning) return { meaning, rank: 2 }
  const unclear = vague.get(whole)
  if (unclear) return { meaning: unclear, rank: 1 }
  return matchPart(clean) ?? matchInside(whole, guest, 3) ?? matchInside(whole, buyer, 0)
}

/** "E-mail (required)", "Name (guest)", "Attendee name: Given name": the part that names the column. */
function matchPart(title: string): TitleMatch | undefined {
  const parts = [title.replaceAll(/[([].*?[)\]]/g, ''), title.split(':').at(-1) ?? '']
  const meaning = parts.map((part) => plain.get(looseKey(part))).find((found) => found !== undefined)
  if (!meaning) return undefined
  const words = title.split(/[^\p{L}\p{M}]+/u).map(looseKey)
  if (words.some((word) => guest.includes(word))) return { meaning, rank: 3 }
  return { meaning, rank: words.some((word) => buyer.includes(word)) ? 0 : 2 }
}

/** "Attendee e-mail", "Name des Gastes", "Nom de l'acheteur": a known title with whose it is around it. */
function matchInside(key: string, whose: readonly string[], rank: 0 | 3): TitleMatch | undefined {
  for (const word of whose) {
    const after = key.startsWith(word) ? plain.get(key.slice(word.length)) : undefined
    const meaning = after ?? (key.endsWith(word) ? meaningBefore(key.slice(0, -word.length)) : undefined)
    if (meaning) return { meaning, rank }
  }
  return undefined
}

function meaningBefore(key: string): TitleMeaning | undefined {
  const link = linking.find((word) => key.endsWith(word) && plain.has(key.slice(0, -word.length)))
  return plain.get(link === undefined ? key : key.slice(0, -link.length))
}
