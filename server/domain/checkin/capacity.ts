/** How full a place is: nearly, or so that nobody more has room. */
export type Fullness = 'near' | 'full'

/** How full a place is with so many guests inside, where there is something to say; from `warnAt` percent on it is nearly full. */
export function fullnessOf(inside: number, capacity: number | null, warnAt: number): Fullness | null {
  if (capacity === null) return null
  if (inside >= capacity) return 'full'
  return inside * 100 >= capacity * warnAt ? 'near' : null
}
