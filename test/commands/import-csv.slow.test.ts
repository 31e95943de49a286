import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { printed, refused, runCli, type Served, serveCli, temporaryFolders } from '../support/servers/cli.ts'
import type { GuestEvent } from '../support/ticketing/guest-event.ts'
import { contentsOf, importedInto, makeGuestFolder } from '../support/ticketing/guest-folder.ts'
import { messyGuestList } from '../support/ticketing/messy-guest-list.ts'

const folder = temporaryFolders('gatehouse import')

interface Problem {
  readonly line: number
  readonly column: string | null
  readonly message: string
}

interface Found {
  readonly results: readonly { order: string; attendee_name: string; item: number; secret: string }[]
}

const write = (content: string | Uint8Array): string => {
  const file = join(folder(), 'Gästeliste 2030.csv')
  writeFileSync(file, content)
  return file
}

describe('import csv', function () {
  this.timeout(300_000)
  const data = folder()
  const messy = messyGuestList(11, 1000)
  const file = write(messy.bytes)
  const tickets = messy.guests.reduce((sum, { quantity }) => sum + quantity, 0)
  let at: GuestEvent
  let served: Served

  before(async () => {
    at = await makeGuestFolder(data)
    served = await serveCli(['--data', data])
  })

  after(() => served.stop())

  async function call(path: string, body?: unknown): Promise<{ status: number; body: unknown }> {
    const answer = await fetch(`${served.url}/api/v1/organizers/acme${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { Authorization: 'Token all', 'Content-Type': 'application/json' },
      body: body === undefined ? undefined : JSON.stringify(body),
    })
    return { status: answer.status, body: await answer.json() }
  }

  const scan = async (secret: string): Promise<string> => {
    const { status, body } = await call('/checkinrpc/redeem/', { secret, lists: [at.list] })
    return `${status} ${(body as { reason?: string }).reason ?? 'ok'}`
  }

  const search = async (text: string): Promise<Found['results']> => {
    const { body } = await call(`/checkinrpc/search/?list=${at.list}&search=${encodeURIComponent(text)}`)
    return (body as Found).results
  }

  it('shows with --dry-run what it would do, and writes nothing', async () => {
    const before = contentsOf(data)
    const talking = await runCli(['import', 'csv', file, '--data', data, '--dry-run'])
    const counts = {
      guests: messy.guests.length,
      tickets,
      unchanged: 0,
      refused: false,
      bad: messy.badLines.length,
      dry_run: true,
    }
    const { skipped, ...shown } = printed(talking)
    assert.deepEqual(shown, counts)
    assert.ok(Number(skipped) > 10)
    assert.equal(talking.code, 2)
    for (const words of [
      'Read as utf-8, columns separated by semicolons.',
      '  Vorname: first name',
      '  Ticket code: ticket code',
      '  Tisch: not imported',
      `Would import ${messy.guests.length} rows with ${tickets} tickets;`,
    ])
      assert.ok(talking.err.includes(words), `${words} is not in ${talking.err}`)
    const [first] = messy.guests
    assert.ok(first)
    assert.ok(
      talking.err.includes(
        `  Line ${first.line}: ${first.given_name} ${first.family_name}, ${first.quantity} `,
      ),
      talking.err,
    )
    const quiet = printed(await runCli(['import', 'csv', file, '--data', data, '--dry-run', '--json']))
    assert.equal((quiet.preview as unknown[]).length, 5)
    assert.ok((quiet.columns as unknown[]).length === 9)
    assert.deepEqual(contentsOf(data), before)
  })

  it('imports nothing with --strict when a row has a problem', async () => {
    const before = contentsOf(data)
    const done = await runCli(['import', 'csv', file, '--data', data, '--strict'])
    assert.equal(done.code, 2)
    assert.equal(printed(done).refused, true)
    assert.match(done.err, /Nothing was imported, because some rows have problems/)
    assert.deepEqual(contentsOf(data), before)
  })

  it('brings every good row of a messy list in, and says of the others where and why', async () => {
    const done = await runCli(['import', 'csv', file, '--data', data, '--json'])
    const { problems, skipped, columns, ...counts } = printed(done)
    assert.equal(done.code, 2)
    assert.equal(done.err, '')
    assert.deepEqual(counts, {
      guests: messy.guests.length,
      tickets,
      unchanged: 0,
      refused: false,
      bad: messy.badLines.length,
      dry_run: false,
    })
    assert.ok(Array.isArray(columns))
    const found = problems as Problem[]
    assert.deepEqual([...new Set(found.map(({ line }) => line))], [...messy.badLines])
    for (const { message } of found) assert.match(message, /^.{15,}[.?]$/s)
    assert.deepEqual(importedInto(data), {
      keys: messy.guests.length,
      orders: messy.guests.length,
      tickets,
      searched: tickets,
      broken: 0,
    })
  })

  it('makes tickets that a server which runs meanwhile admits once', async () => {
    const guest = messy.guests.find(({ code, quantity }) => code !== null && quantity > 1)
    assert.ok(guest?.code)
    assert.equal(await scan(guest.code), '201 ok')
    assert.equal(await scan(guest.code), '400 already_redeemed')
    assert.equal(await scan(`${guest.code}-2`), '201 ok')
  })

  it('makes guests that are found by their name, address and order reference', async () => {
    const guest = messy.guests.find(
      ({ order, email }) => order !== null && order.length > 3 && email !== null,
    )
    assert.ok(guest?.order && guest.email)
    const { given_name, family_name } = guest
    const byEmail = await search(guest.email)
    assert.equal(byEmail.length, guest.quantity)
    const [{ order, attendee_name, item } = assert.fail()] = byEmail
    assert.equal(attendee_name, `${given_name} ${family_name}`)
    assert.equal(item, at.products.get(guest.product))
    for (const text of [`${given_name} ${family_name}`, guest.order, guest.order.toLowerCase()]) {
      const orders = (await search(text)).map((one) => one.order)
      assert.ok(orders.includes(order), `${text} finds ${orders}`)
    }
  })

  it('changes nothing when the same list is imported again', async () => {
    const before = contentsOf(data)
    const again = await runCli(['import', 'csv', file, '--data', data])
    const { guests, tickets, unchanged } = printed(again)
    assert.deepEqual([guests, tickets, unchanged], [0, 0, messy.guests.length])
    assert.match(
      again.err,
      new RegExp(`Imported 0 rows with 0 tickets; ${messy.guests.length} were there already`),
    )
    assert.deepEqual(contentsOf(data), before)
  })

  it('refuses codes that other tickets have', async () => {
    const bring = async (list: string) => {
      const done = await runCli(['import', 'csv', write(list), '--data', data, '--json'])
      const { guests, unchanged, problems } = printed(done)
      return { code: done.code, guests, unchanged, problems: problems as Problem[] }
    }
    const group = await bring('Name;Ticket;Code;Anzahl\nSomebody Else;VIP;G;2\nThird;VIP;G-2;1\n')
    assert.deepEqual([group.code, group.guests, group.problems.length], [2, 1, 1])
    assert.match(group.problems[0]?.message ?? '', /"G-2" is already in line 2/)
    const [{ order } = assert.fail()] = await search('Somebody Else')
    const later = await bring('Name;Ticket;Code\nFourth;VIP;G-2\nFifth;VIP;free\n')
    assert.deepEqual([later.code, later.guests, later.problems.length], [2, 1, 1])
    const { line, column, message } = later.problems[0] ?? assert.fail()
    assert.deepEqual([line, column], [2, 'Code'])
    assert.ok(message.startsWith(`The code "G-2" is already on a ticket of order ${order}.`), message)
    // The code is what an imported guest is known by: the same one again is the same guest.
    const again = await bring('Ticket-ID;Name;Ticket\nG;Sixth;VIP\n')
    assert.deepEqual([again.code, again.guests, again.unchanged], [0, 0, 1])
  })

  it('reads columns as it is told to, and gives the product named to rows without one', async () => {
    const list = write('Wer;Was\nOne Person;note 1\nTwo Persons;note 2\n')
    const args = ['import', 'csv', list, '--data', data]
    await refused(args, /No line with column titles was found.*--column and --product do it too/)
    const named = [...args, '--column', 'Wer=full_name', '--column', 'Was=comment']
    await refused(named, /No column says which ticket a guest gets/)
    await refused(
      [...named, '--product', 'Backstage'],
      /There is no ticket type "Backstage"\. Known: Day ticket/,
    )
    await refused(
      [...named, '--column', 'Wo=comment', '--product', 'VIP'],
      /no column "Wo"\. Its columns are: Wer, Was/,
    )
    await refused([...args, '--column', 'Wer=nonsense'], /Write TITLE=FIELD, with one of given_name, /)
    const done = await runCli([...named, '--product', 'VIP'])
    assert.equal(done.code, 0, done.err)
    assert.equal(printed(done).guests, 2)
    assert.equal((await search('One Person'))[0]?.item, at.products.get('VIP'))
  })

  it('does not import a column that it is told to ignore', async () => {
    const list = write('Name;E-Mail;Ticket\nNo Address;hidden@example.org;VIP\n')
    const done = await runCli(['import', 'csv', list, '--data', data, '--column', 'E-Mail=ignore'])
    assert.equal(done.code, 0, done.err)
    assert.equal((await search('No Address')).length, 1)
    assert.equal((await search('hidden@example.org')).length, 0)
  })

  const csv = (content: string | Uint8Array): readonly string[] => [
    'import',
    'csv',
    write(content),
    '--data',
    data,
  ]
  const mistakes: readonly (readonly [string, () => readonly string[], RegExp])[] = [
    [
      'a file that is not there',
      () => ['import', 'csv', join(data, 'none.csv'), '--data', data],
      /cannot be read/,
    ],
    ['an empty file', () => csv(''), /The file is empty/],
    ['an unknown event', () => [...csv('Name\nA\n'), '--event', 'none'], /no event "none"\. Known: gala\./],
    ['a date that is not there', () => [...csv('Name\nA\n'), '--subevent', '5'], /has no date 5/],
  ]
  for (const [what, args, words] of mistakes)
    it(`refuses ${what} with a sentence`, async () => {
      await refused(args(), words)
    })
})

describe('import csv without an event', () => {
  it('says how to get one', async () => {
    const args = ['import', 'csv', write('Name\nA\n'), '--data', folder()]
    await refused(args, /There is no organizer yet\. Make one first, or try with the demo/)
  })

  it('asks for the date where the event is a series', async () => {
    const data = folder()
    await makeGuestFolder(data, { has_subevents: true })
    await refused(['import', 'csv', write('Name\nA\n'), '--data', data], /is a series\. Say for which date/)
  })
})
