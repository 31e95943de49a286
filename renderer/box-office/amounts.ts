/** A decimal amount of money in hundredths. */
export const hundredthsOf = (amount: string): number => Math.round(Number(amount) * 100)

/** Hundredths as a decimal amount. */
export const decimalOf = (hundredths: number): string => (hundredths / 100).toFixed(2)

/** An amount as somebody wrote it, with a point or a comma, as a decimal amount; null where it is none. */
export function writtenAmount(text: string): string | null {
  const amount = text.trim().replace(',', '.')
  return /^\d{1,7}(\.\d{1,2})?$/.test(amount) ? Number(amount).toFixed(2) : null
}

/** The most that a cashier can type as given, in hundredths. */
const mostGiven = 99_999_999

/** What was typed so far, in hundredths, with one more digit (or two zeros). */
export function typed(given: number, digits: '00' | `${number}`): number {
  const next = given * 10 ** digits.length + Number(digits)
  return next > mostGiven ? given : next
}

const mostNotes = 4

/**
 * What guests are likely to hand over for a total, beside the exact sum, by the notes of its currency; in hundredths, the
 * least first.
 */
export const likelyGiven = (total: number, notes: readonly string[]): number[] =>
  [...new Set(notes.map(hundredthsOf).map((note) => Math.ceil(total / note) * note))]
    .filter((sum) => sum > total)
    .sort((a, b) => a - b)
    .slice(0, mostNotes)
