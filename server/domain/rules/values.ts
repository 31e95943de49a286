/** Whether a value counts as true: empty lists and objects do not, the text `"0"` does. */
export function isTruthy(value: unknown): boolean {
  if (value !== null && typeof value === 'object') return Object.keys(value).length > 0
  return Boolean(value)
}

/** `==`: as texts if either is a text, by truth if either is a boolean, else the same value. */
export function isEqual(a: unknown, b: unknown): boolean {
  if (typeof a === 'string' || typeof b === 'string') return String(a) === String(b)
  if (typeof a === 'boolean' || typeof b === 'boolean') return isTruthy(a) === isTruthy(b)
  return a === b
}

/** `<`: as numbers if either is one, where what is not a number is never less; texts by their characters. */
export function isLess(a: unknown, b: unknown): boolean {
  if (typeof a === 'string' && typeof b === 'string') return a < b
  return numberOf(a) < numberOf(b)
}

/** `<=`, which holds for what is equal even where nothing is less: nothing and nothing. */
export function isLessOrEqual(a: unknown, b: unknown): boolean {
  return isLess(a, b) || isEqual(a, b)
}

/** The number a value stands for: also a boolean, and a decimal text with blanks around it; else `NaN`. */
export function numberOf(value: unknown): number {
  if (typeof value === 'number' || typeof value === 'boolean') return Number(value)
  const decimal = /^\s*[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?\s*$/i
  return typeof value === 'string' && decimal.test(value) ? Number(value) : Number.NaN
}

/** Minutes by which a time limit is widened; nothing, 0 and the empty text are none. Throws for what is no number. */
export function toleranceOf(value: unknown): number {
  const minutes = isTruthy(value) ? numberOf(value) : 0
  if (Number.isNaN(minutes)) throw new RangeError('The tolerance is not a number')
  return minutes
}
