/** Numbers from 0 up to 1. */
export type Random = () => number

const secretLetters = 'abcdefghjkmnpqrstuvwxyz23456789'
const orderLetters = 'ABCDEFGHJKLMNPQRSTUVWXYZ3789'

/** One of some values, each as likely as the others. Throws when there is none. */
export function pick<T>(random: Random, values: readonly T[]): T {
  const value = values[Math.floor(random() * values.length)]
  if (value === undefined) throw new RangeError('there is nothing to pick from')
  return value
}

/** One of some values, as likely as its weight. */
export function pickWeighted<T>(random: Random, values: readonly (readonly [value: T, weight: number])[]): T {
  const total = values.reduce((sum, [, weight]) => sum + weight, 0)
  let left = random() * total
  const found = values.find(([, weight]) => {
    left -= weight
    return left < 0
  })
  return (found ?? pick(random, values))[0]
}

/** True in `share` of all cases. */
export function happens(random: Random, share: number): boolean {
  return random() < share
}

/** A ticket secret. */
export function drawSecret(random: Random): string {
  return drawText(random, secretLetters, 32)
}

/** An order code that is not among the codes yet; it is added to them. */
export function drawCode(random: Random, codes: Set<string>): string {
  const code = drawText(random, orderLetters, 5)
  if (codes.has(code)) return drawCode(random, codes)
  codes.add(code)
  return code
}

function drawText(random: Random, letters: string, length: number): string {
  return Array.from({ length }, () => letters.charAt(Math.floor(random() * letters.length))).join('')
}
