import { type Draw, type Holder, pick, placesIn } from './invent.ts'
import type { Recollection } from './memory.ts'
import type { Memory, Request } from './requests.ts'

/** Somebody else, with the one event of theirs there is to ask for, where it is not named like ours. */
export interface Other {
  readonly memory: Recollection
  readonly only: string | null
}

/** What a caller knows, who sometimes names what is somebody else's. */
export class Curious implements Memory {
  readonly #own: Recollection
  readonly #others: readonly Other[]
  readonly #share: number
  #draw: Draw = () => 1

  constructor(own: Recollection, others: readonly Other[], share: number) {
    this.#own = own
    this.#others = others
    this.#share = share
  }

  /** Begins a request. */
  begin(draw: Draw): void {
    this.#draw = draw
  }

  get organizer(): string {
    return this.#own.organizer
  }

  enter(event: string): void {
    this.#own.enter(event)
    for (const { memory, only } of this.#others) memory.enter(only ?? event)
  }

  /** The one whose things are named next. */
  #whose(): Other {
    return this.#draw() < this.#share ? pick(this.#draw, this.#others) : { memory: this.#own, only: null }
  }

  of(name: string): readonly unknown[] {
    const { memory } = this.#whose()
    const found = memory.of(name)
    return found.length > 0 ? found : this.#own.of(name)
  }

  below(collection: string): readonly unknown[] {
    const { memory, only } = this.#whose()
    const there = collection
      .replace(`/${this.organizer}/`, `/${memory.organizer}/`)
      .replace(/\/events\/[^/]+\//, (found) => (only === null ? found : `/events/${only}/`))
    const found = memory.below(there)
    return found.length > 0 ? found : this.#own.below(collection)
  }

  taken(operation: string): readonly string[] {
    const found = this.#whose().memory.taken(operation)
    return found.length > 0 ? found : this.#own.taken(operation)
  }
}

/** Every way to name something of somebody else in a body where it names something of ours; with the field. */
export function* grafts(
  draw: Draw,
  body: string,
  own: Recollection,
  { memory }: Other,
): Generator<readonly [string, string]> {
  const count = placesIn(JSON.parse(body)).length
  for (let index = 0; index < count; index += 1) {
    const value: unknown = JSON.parse(body)
    const [holder, key] = placesIn(value)[index] as readonly [Holder, string | number]
    const name = own.called(holder[key])
    const theirs = name === null ? [] : memory.of(name)
    if (theirs.length === 0) continue
    holder[key] = pick(draw, theirs)
    yield [`${key} (${name})`, JSON.stringify(value)]
  }
}

/** Something of the same look that is nowhere. */
export function unlike(key: string): string {
  let seed = [...key].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 65_521, 7)
  const next = (count: number): number => {
    seed = (seed * 75 + 74) % 65_537
    return seed % count
  }
  return key.replace(/[0-9]|[a-z]|[A-Z]/g, (letter, at: number) => {
    if (/[0-9]/.test(letter)) return at === 0 ? '6' : String(next(10))
    const from = /[a-z]/.test(letter) ? 'abcdefghkmnpqrstuvwxyz' : 'ABCDEFGHKLMNPRSTUVWXYZ'
    return from[next(from.length)] ?? letter
  })
}

/** A request with other keys in place of some. */
export function renamed(request: Request, keys: Iterable<string>): Request {
  let { path, body } = request
  for (const key of keys) {
    path = path.replaceAll(key, unlike(key))
    body = body?.replaceAll(key, unlike(key))
  }
  return { ...request, path, body }
}
