import { unwrapFormula } from './text.ts'

/** Codes, names and the like are stored up to this length. */
export const longestText = 255
const mostTickets = 100
const longestSuffix = `-${mostTickets}`.length

/** What a clean cell says: nothing where somebody put a mere dash. */
export function readText(text: string): string {
  return /^[-–—/.]+$/.test(text) || text.toLowerCase() === 'n/a' ? '' : text
}

/** Excel marks text that looks like a number with an apostrophe, which belongs neither to a code nor to a phone number. */
export function withoutTextMark(text: string): string {
  return text.replace(/^'(?=[+\d])/, '')
}

/** The parts of a name: first and last name where the list has them, else the whole name, else the company's. */
export function nameParts(given: string, family: string, full: string): Readonly<Record<string, string>> {
  if (given !== '' && family !== '')
    return { _scheme: 'given_family', given_name: given, family_name: family }
  if (given !== '') return { _scheme: 'given_family', given_name: given }
  if (family !== '') return { _scheme: 'given_family', family_name: family }
  return full === '' ? {} : { _scheme: 'full', full_name: full }
}

const amount =
  /^[x×]? ?(\d{1,6})(?:[.,]0{1,2})? ?(?:x|×|tickets?|pers\.?|persons?|personen|people|pax|karten?|stück|stk\.?|pcs\.?)?$/i

/** A number of tickets from 1 to 100 (an empty cell is 1), or what is wrong with it. */
export function readQuantity(text: string): number | string {
  if (text === '') return 1
  if (/^\+ ?\d+$/.test(text))
    return `"${text}" is not clear: write how many tickets there are, the guest's own included.`
  const number = Number(amount.exec(text)?.[1] ?? Number.NaN)
  if (Number.isNaN(number)) return `"${text}" is not a number of tickets.`
  if (number >= 1 && number <= mostTickets) return number
  return `A line is for 1 to ${mostTickets} tickets, not ${number}.`
}

/** What is wrong with a ticket code, null when nothing is. `cell` is the code as it stands in the file. */
export function codeProblem(code: string, cell: string, quantity: number): string | null {
  if (/\p{Cc}/u.test(unwrapFormula(cell).trim()))
    return 'The code contains a line break or a control character.'
  if (/^\d([.,]\d+)?E\+\d+$/i.test(code)) {
    return `Excel has rounded this code to ${code}. Format the column as text, enter the codes again and export the list anew.`
  }
  const room = quantity > 1 ? longestText - longestSuffix : longestText
  return code.length > room ? `The code is longer than ${room} characters.` : null
}

/**
 * The codes of a line's tickets, null for a code that is to be made. A line has one code, and a code admits one
 * person: the first ticket gets it as it is printed, so that it scans, and the others get it with -2, -3 and so on,
 * so that staff find them beside the first one. A whole group is thus in the system, whatever its paper says.
 */
export function ticketCodes(code: string | null, quantity: number): readonly (string | null)[] {
  const places = Array.from({ length: quantity }, (_, index) => index + 1)
  return places.map((place) => (code === null || place === 1 ? code : `${code}-${place}`))
}
