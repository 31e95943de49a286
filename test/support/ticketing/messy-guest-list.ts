/** The products that a messy list names; a test gives them ids. The names are English, German and internal ones. */
export const messyProducts = [
  {
    name: 'Day ticket',
    names: ['Day ticket', 'Tageskarte'],
    variations: [
      ['Adult', 'Erwachsene'],
      ['Child', 'Kind'],
    ],
  },
  { name: 'VIP', names: ['VIP', 'VIP-Ticket'], variations: [] },
  { name: 'Café pass', names: ['Café pass', 'Café-Pass'], variations: [] },
] as const

/** A guest that an import must find in a messy list. */
export interface ExpectedGuest {
  readonly line: number
  readonly given_name: string
  readonly family_name: string
  readonly email: string | null
  readonly product: string
  readonly variation: string | null
  readonly code: string | null
  readonly quantity: number
  readonly order: string | null
  readonly comment: string | null
}

/** A guest list as organizers send it, with what an import must make of it. */
export interface MessyGuestList {
  readonly bytes: Uint8Array
  readonly guests: readonly ExpectedGuest[]
  /** Lines that must be refused. */
  readonly badLines: readonly number[]
}

type Draw = () => number
/** A guest as written, and which cell of it is spoiled. */
type Written = Omit<ExpectedGuest, 'line'> & { readonly cells: readonly string[]; readonly isBad: boolean }

const firstNames = [
  'Änne',
  'Björn',
  'Zoë',
  'José',
  'Łukasz',
  'Anna-Lena',
  "D'Arcy",
  'Mehmet',
  'Søren',
  'Chloé',
  '太郎',
  'Bob',
]
const lastNames = [
  'Müller',
  'Groß',
  'García Márquez',
  'Żółć',
  'O’Neill',
  'van der Berg',
  'Şahin',
  'Ångström',
  'Nguyễn',
  'Smith',
]
const spaces = ['', '', '', ' ', '  ', '\u00a0', '\u200b', '\ufeff', '\u202f']
const ways: readonly (readonly [cell: string, product: string, variation: string | null])[] = [
  ['Day ticket - Adult', 'Day ticket', 'Adult'],
  ['tageskarte (Kind)', 'Day ticket', 'Child'],
  ['DAY  TICKET – child', 'Day ticket', 'Child'],
  ['Tageskarte: Erwachsene', 'Day ticket', 'Adult'],
  ['vip', 'VIP', null],
  ['VIP-Ticket', 'VIP', null],
  ['Cafe Pass', 'Café pass', null],
]
const amounts: readonly (readonly [cell: string, quantity: number])[] = [
  ['', 1],
  ['1', 1],
  ['2', 2],
  ['2x', 2],
  ['3,0', 3],
  ['4 ', 4],
  ['x 2', 2],
  ['1 Ticket', 1],
]
const badEmails = ['anna@', 'example.org', 'a b@example.org', 'x@example', 'a@example.org; b@example.org']
const badAmounts = ['0', '-1', 'zwei', '101', '+1', '1.5']
const badProducts = ['Backstage', 'Day ticket', 'Tageskarte - Senior', '']

/** The same sequence of numbers from 0 to 1 for the same seed (mulberry32 by Tommy Ettinger, public domain). */
export function seeded(seed: number): Draw {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** A messy list with as many guests (about every twelfth of them refused); the same for the same seed. */
export function messyGuestList(seed: number, rows: number): MessyGuestList {
  const draw = seeded(seed)
  const guests: ExpectedGuest[] = []
  const badLines: number[] = []
  const codes: string[] = []
  let text = ''
  let line = 1
  const write = (part: string): void => {
    text += part + pick(draw, ['\n', '\r\n'])
    line += part.replaceAll('\r\n', '\n').split('\n').length
  }
  write('Gästeliste Sommerfest;;;;;;;')
  write('')
  write('Vorname;Name;E-Mail (falls bekannt);Ticket-Art;Anzahl;"Ticket\ncode";Bestell-Nr.;Bemerkung;Tisch')
  while (guests.length + badLines.length < rows) {
    if (draw() < 0.05) write(pick(draw, ['', ';;;;;;;;', ' ; ;;\u00a0;;;;;']))
    const written = writeGuest(draw, guests.length + badLines.length, codes)
    const { cells, isBad, ...guest } = written
    if (isBad) badLines.push(line)
    else guests.push({ line, ...guest })
    if (!isBad && guest.code !== null) codes.push(guest.code)
    write(cells.join(';'))
  }
  write(`Summe;;;;${rows};;;;`)
  return { bytes: new TextEncoder().encode(`\ufeff${text}`), guests, badLines }
}

function writeGuest(draw: Draw, place: number, codes: readonly string[]): Written {
  const given_name = pick(draw, firstNames)
  const family_name = draw() < 0.1 ? `${pick(draw, lastNames)} "Bob"` : pick(draw, lastNames)
  const email = draw() < 0.2 ? null : `guest${place}@example.org`
  const [way, product, variation] = pick(draw, ways)
  const [amount, quantity] = pick(draw, amounts)
  const code = draw() < 0.5 ? null : String(place).padStart(6, '0')
  const order = draw() < 0.7 ? null : `B${Math.floor(place / 3)}`
  const comment = draw() < 0.1 ? 'needs a ramp;\ncalls before' : draw() < 0.1 ? 'friend of the "band"' : null
  const mail = email ?? pick(draw, ['', '-', 'n/a'])
  const good = [
    given_name,
    family_name,
    mail,
    way,
    amount,
    code ?? '',
    order ?? '',
    comment ?? '',
    pick(draw, ['', '7']),
  ]
  const spoiled = draw() < 1 / 12 ? spoil(draw, good, codes) : undefined
  const cells = (spoiled ?? good).map((cell, index) => writeCell(draw, cell, index === 5))
  return {
    given_name,
    family_name,
    email,
    product,
    variation,
    code,
    quantity,
    order,
    comment,
    cells,
    isBad: spoiled !== undefined,
  }
}

/** The row with one thing wrong in it; undefined when there is no code yet to repeat. */
function spoil(
  draw: Draw,
  cells: readonly string[],
  codes: readonly string[],
): readonly string[] | undefined {
  const faults: readonly (readonly [number, readonly string[]])[] = [
    [2, badEmails],
    [3, badProducts],
    [4, badAmounts],
    [5, codes],
    [5, ['1.23457E+12', 'x'.repeat(256)]],
    [9, ['one cell too many']],
  ]
  const [place, values] = pick(draw, faults)
  if (values.length === 0) return undefined
  const value = pick(draw, values)
  return [...cells.slice(0, place), value, ...cells.slice(place + 1)]
}

function writeCell(draw: Draw, cell: string, isCode: boolean): string {
  if (isCode && /^0\d+$/.test(cell) && draw() < 0.4) return `="${cell}"`
  const odd = cell === '' || cell.includes('\n') ? cell : pick(draw, spaces) + cell + pick(draw, spaces)
  const needsQuotes = /[;\n"]/.test(odd) || draw() < 0.2
  return needsQuotes ? `"${odd.replaceAll('"', '""')}"` : odd
}

function pick<T>(draw: Draw, values: readonly T[]): T {
  const value = values[Math.floor(draw() * values.length)]
  if (value === undefined) throw new Error('nothing to pick from')
  return value
}
