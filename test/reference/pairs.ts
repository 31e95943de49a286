/** A value that names something: an id, a code, a secret. */
export type Name = string | number

const isName = (value: unknown): value is Name => typeof value === 'string' || typeof value === 'number'

/** From here on a number is an id: both servers of a comparison number their rows from above it. */
export const firstId = 1_000_000

/** Which id, code or secret of one server stands for which of the other. */
export class Pairs {
  readonly #theirs = new Map<Name, Name>()
  readonly #ours = new Map<Name, Name>()

  /** Notes that two names mean the same; false where one of them means something else already. */
  pair(ours: Name, theirs: Name): boolean {
    const known = this.#theirs.get(ours)
    const back = this.#ours.get(theirs)
    if (known !== undefined || back !== undefined) return known === theirs && back === ours
    this.#theirs.set(ours, theirs)
    this.#ours.set(theirs, ours)
    return true
  }

  /** A value that speaks of our rows, as it speaks of theirs. */
  toTheirs(value: unknown): unknown {
    return translated(value, this.#theirs)
  }

  /** A value that speaks of their rows, as it speaks of ours. */
  toOurs(value: unknown): unknown {
    return translated(value, this.#ours)
  }
}

function translated(value: unknown, names: ReadonlyMap<Name, Name>): unknown {
  if (isName(value)) return names.get(value) ?? (typeof value === 'string' ? inText(value, names) : value)
  if (Array.isArray(value)) return value.map((one) => translated(one, names))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [inText(key, names), translated(inner, names)]),
  )
}

/** A path, a query or a text in which names occur between other characters. */
const inText = (text: string, names: ReadonlyMap<Name, Name>): string =>
  text.replace(/[A-Za-z0-9]{5,}/g, (word) =>
    String(names.get(word) ?? (/^\d+$/.test(word) ? names.get(Number(word)) : undefined) ?? word),
  )
