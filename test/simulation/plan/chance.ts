/** Chance that is the same in every run with the same seed. */
export interface Chance {
  /** At least 0, below 1. */
  fraction(): number
  /** A whole number from 0 up to, but not including, `below`. */
  below(below: number): number
  /** A whole number between two, both included. */
  between(least: number, most: number): number
  /** True in this share of cases. */
  happens(rate: number): boolean
  pick<T>(from: readonly T[]): T
  /** About `mean` on average, seldom much more: exponentially distributed. */
  around(mean: number): number
  bytes(count: number): Uint8Array
  /** Another source for another purpose: what one draws does not shift what the other does. */
  split(purpose: string): Chance
}

/** 128 bits of state from a text, as in cyrb128. */
function stateOf(text: string): [number, number, number, number] {
  let a = 1779033703
  let b = 3144134277
  let c = 1013904242
  let d = 2773480762
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index)
    a = b ^ Math.imul(a ^ code, 597399067)
    b = c ^ Math.imul(b ^ code, 2869860233)
    c = d ^ Math.imul(c ^ code, 951274213)
    d = a ^ Math.imul(d ^ code, 2716044179)
  }
  return [a >>> 0, b >>> 0, c >>> 0, d >>> 0]
}

/** Chance from a seed: the small fast counting generator of PractRand (sfc32). */
export function createChance(seed: string): Chance {
  let [a, b, c, d] = stateOf(seed)

  function word(): number {
    const sum = (a + b + d) | 0
    d = (d + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = (c << 21) | (c >>> 11)
    c = (c + sum) | 0
    return sum >>> 0
  }
  for (let warm = 0; warm < 15; warm += 1) word()

  const fraction = (): number => word() / 2 ** 32
  const below = (limit: number): number => Math.floor(fraction() * limit)
  return {
    fraction,
    below,
    between: (least, most) => least + below(most - least + 1),
    happens: (rate) => fraction() < rate,
    pick<T>(from: readonly T[]): T {
      const chosen = from[below(from.length)]
      if (chosen === undefined) throw new Error('There is nothing to choose from.')
      return chosen
    },
    around: (mean) => -Math.log(1 - fraction()) * mean,
    bytes(count) {
      const bytes = new Uint8Array(count)
      for (let index = 0; index < count; index += 1) bytes[index] = word() & 255
      return bytes
    },
    split: (purpose) => createChance(`${seed}/${purpose}`),
  }
}

/** A UUID of random bytes (version 4). */
export function uuidOf(bytes: Uint8Array): string {
  const hex = Buffer.from(bytes).toString('hex')
  const variant = ((Number.parseInt(hex.slice(16, 17), 16) & 3) | 8).toString(16)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
