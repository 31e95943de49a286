import assert from 'node:assert/strict'
import type { GuestEntry, GuestList } from '../../../server/domain/guest-list/guest-list.ts'
import { guestKey, openGuestList } from '../../../server/domain/guest-list/guest-list.ts'
import type { ProductCatalogue } from '../../../server/domain/guest-list/products.ts'
import type { Guest } from '../../../server/domain/guest-list/row.ts'
import { workTime } from '../../support/mocha/work-time.ts'
import type { ExpectedGuest } from '../../support/ticketing/messy-guest-list.ts'
import { messyGuestList, messyProducts } from '../../support/ticketing/messy-guest-list.ts'

const catalogue: ProductCatalogue = {
  defaultItem: null,
  items: messyProducts.map(({ names, variations }, item) => ({
    id: item + 1,
    names,
    variations: variations.map((own, variation) => ({ id: 10 * (item + 1) + variation, names: own })),
  })),
}

function open(text: string | Uint8Array, products = catalogue): GuestList {
  const list = openGuestList(typeof text === 'string' ? new TextEncoder().encode(text) : text, products)
  if ('problem' in list) throw new Error(list.problem)
  return list
}

function read(text: string | Uint8Array, products = catalogue): GuestEntry[] {
  return [...open(text, products).entries()]
}

function guestsOf(entries: readonly GuestEntry[]): Guest[] {
  return entries.flatMap((entry) => (entry.kind === 'guest' ? [entry.guest] : []))
}

function messages(entries: readonly GuestEntry[]): string[] {
  return entries.flatMap((entry) =>
    entry.kind === 'problems' ? entry.problems.map(({ message }) => message) : [],
  )
}

function asGuest(expected: ExpectedGuest): Guest {
  const place = messyProducts.findIndex(({ name }) => name === expected.product)
  const product = catalogue.items[place]
  const variation = product?.variations.find(({ names }) => names[0] === expected.variation)
  const { line, given_name, family_name, code, quantity, order, comment } = expected
  return {
    line,
    attendee_name_parts: { _scheme: 'given_family', given_name, family_name },
    attendee_email: expected.email,
    item: product?.id ?? 0,
    variation: variation?.id ?? null,
    code,
    quantity,
    order,
    company: null,
    phone: null,
    comment,
  }
}

describe('guest list', () => {
  it('finds every guest and every bad line of messy lists', () => {
    for (const seed of [1, 2, 3, 4, 5]) {
      const { bytes, guests, badLines } = messyGuestList(seed, 1000)
      const entries = read(bytes)
      assert.deepEqual(guestsOf(entries), guests.map(asGuest))
      const bad = entries.flatMap((entry) => (entry.kind === 'problems' ? [entry.line] : []))
      assert.deepEqual(bad, badLines)
      assert.ok(badLines.length > 40 && guests.length + badLines.length === 1000)
    }
  })

  it('gives every guest a key of its own, and the same one at a second reading', () => {
    const { bytes } = messyGuestList(6, 1000)
    const keys = (entries: readonly GuestEntry[]) =>
      entries.flatMap((entry) => (entry.kind === 'guest' ? [entry.key] : []))
    const list = open(bytes)
    const first = keys([...list.entries()])
    assert.ok(first.length > 800)
    assert.equal(new Set(first).size, first.length)
    assert.deepEqual(keys([...list.entries()]), first)
    assert.deepEqual(keys(read(bytes)), first)
  })

  it('keeps keys when lines are moved, spelled differently or added', () => {
    const keyOf = (text: string, line: number) => {
      const entry = read(text).find((one) => one.kind === 'guest' && one.guest.line === line)
      return entry?.kind === 'guest' ? entry.key : undefined
    }
    const before = 'Name;E-Mail;Ticket;Order\nÄnne Groß;a@example.org;VIP;B1\nBob;;VIP;\nBob;;VIP;\n'
    const after =
      'Order,Ticket,Mail,Name\n,vip,,New\n,vip,, bob \n,VIP,,Bob\nb1,VIP-Ticket,A@example.org,ANNE GROSS\n'
    assert.equal(keyOf(before, 2), keyOf(after, 5))
    assert.equal(keyOf(before, 3), keyOf(after, 3))
    assert.equal(keyOf(before, 4), keyOf(after, 4))
    assert.notEqual(keyOf(before, 3), keyOf(before, 4))
  })

  it('takes the code as the key where there is one and tells nothing of a guest otherwise', () => {
    const [coded, named] = guestsOf(read('Name;Ticket;Code\nAnna;VIP;A7\nAnna;VIP;\n'))
    assert.equal(coded && guestKey(coded, 1), 'code:A7')
    assert.match((named && guestKey(named, 1)) ?? '', /^line:[\w-]{43}$/)
  })

  it('names the first line of a repeated code, also of one made for a group', () => {
    const entries = read('Name;Ticket;Qty;Code\nA;VIP;3;X\nB;VIP;;X\nC;VIP;;X-2\nD;VIP;;X-4\nE;VIP;;x\n')
    assert.deepEqual(messages(entries), [
      'The code "X" is already in line 2. Two tickets cannot have the same code.',
      'The code "X-2" is already in line 2. Two tickets cannot have the same code.',
    ])
    assert.deepEqual(
      guestsOf(entries).map(({ line }) => line),
      [2, 5, 6],
    )
  })

  it('lets a later line have the code of a line that was refused', () => {
    const entries = read('Name;Ticket;Code\nA;Nothing;X\nB;VIP;X\n')
    assert.deepEqual(
      guestsOf(entries).map(({ line }) => line),
      [3],
    )
  })

  it('skips blank lines, totals and repeated titles and says so', () => {
    const text =
      'Name;E-Mail;Ticket;Anzahl\nA;;VIP;1\n;;;\nTotal;;;123\n;;Gesamt: ;€ 1.200,00\nName;E-Mail;Ticket;Anzahl\nSuma Total;;VIP;1\n'
    const kinds = read(text).map((entry) => [
      entry.kind === 'guest' ? entry.guest.line : entry.line,
      entry.kind === 'skipped' ? entry.because : entry.kind,
    ])
    assert.deepEqual(kinds, [
      [2, 'guest'],
      [3, 'empty'],
      [4, 'totals'],
      [5, 'totals'],
      [6, 'titles'],
      [7, 'guest'],
    ])
  })

  it('asks for a ticket type when the list has none and there are several', () => {
    const text = 'Name\nAnna\n'
    assert.equal(open(text).plan.problem?.reason, 'No column says which ticket a guest gets.')
    assert.deepEqual(read(text), [])
    const vip = { ...catalogue, defaultItem: 2 }
    assert.deepEqual(
      guestsOf(read(text, vip)).map(({ item }) => item),
      [2],
    )
    const single = { defaultItem: null, items: catalogue.items.slice(1, 2) }
    assert.deepEqual(
      guestsOf(read(text, single)).map(({ item }) => item),
      [2],
    )
  })

  it('reads a list without titles only when it leaves no doubt', () => {
    const vip = { ...catalogue, defaultItem: 2 }
    const clear = read('Anna Müller;anna@example.org\nBob;bob@example.org', vip)
    assert.deepEqual(
      guestsOf(clear).map(({ attendee_name_parts, attendee_email }) => [
        attendee_name_parts.full_name,
        attendee_email,
      ]),
      [
        ['Anna Müller', 'anna@example.org'],
        ['Bob', 'bob@example.org'],
      ],
    )
    const refused = open('Anna;Müller;anna@example.org\n', vip).plan.problem
    assert.match(refused?.reason ?? '', /No line with column titles .* "Anna", "Müller"/)
    assert.match(refused?.next_step ?? '', /Add a first line with titles/)
    assert.equal(open('8FGH2\n9XK3P\n', vip).plan.problem === null, false)
  })

  it('says how far it is', () => {
    const list = open('Name;Ticket\r\nA;VIP\r\n"B\nC";VIP')
    assert.equal(list.lines, 4)
    assert.deepEqual(
      guestsOf([...list.entries()]).map(({ line }) => line),
      [2, 3],
    )
  })

  it('needs time in proportion to the rows', () => {
    const timed = (rows: number): number => {
      const list = open(messyGuestList(7, rows).bytes)
      return workTime(() => {
        for (const _entry of list.entries());
      })
    }
    const ratio = timed(20_000) / timed(2000)
    assert.ok(ratio < 40, `ten times the rows took ${ratio.toFixed(1)} times as long`)
  })

  it('refuses what is no text with words', () => {
    const workbook = openGuestList(new Uint8Array([0x50, 0x4b, 3, 4, 0, 0]), catalogue)
    assert.match('problem' in workbook ? workbook.problem : '', /Excel or LibreOffice workbook/)
  })
})
