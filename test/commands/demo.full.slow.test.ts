import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { made, refused, type Served, serveCli, temporaryFolders } from '../support/servers/cli.ts'
import { textsIn } from '../support/ticketing/codes.ts'

const folder = temporaryFolders('gatehouse demo')

/** The parts that are looked at of whatever the server shows. */
interface Shown {
  readonly count: number
  readonly results: readonly { id: number; name: string }[]
  readonly live: boolean
  readonly name: { en: string }
  readonly status: string
  readonly reason?: string
  readonly require_attention?: boolean
}

interface Ticket {
  readonly code: string
  readonly name: string
  readonly product: string
  readonly order: string
  readonly note: string
  readonly png: string
}

describe('demo', function () {
  this.timeout(180_000)
  const data = folder()
  let served: Served
  let demo: Record<string, unknown>
  let tickets: readonly Ticket[]
  let lists: readonly { id: number; name: string }[]

  before(async () => {
    served = await serveCli(['--data', data])
    demo = await made(['demo', '--data', data, '--json'])
    tickets = demo.tickets as Ticket[]
    lists = (await call('GET', '/events/festival/checkinlists/')).body.results
  })

  after(() => served.stop())

  async function call(method: string, path: string, body?: unknown) {
    const answer = await fetch(`${served.url}/api/v1/organizers/demo${path}`, {
      method,
      headers: { Authorization: `Token ${demo.token}`, 'Content-Type': 'application/json' },
      body: body === undefined ? undefined : JSON.stringify(body),
    })
    const shown: unknown = await answer.json()
    return { status: answer.status, body: shown as Shown }
  }

  /** What happens to a sample ticket at the list that its note names. */
  async function scan({ code, note }: Ticket): Promise<string> {
    const list = lists.find(({ name }) => note.startsWith(name))
    const { body } = await call('POST', '/checkinrpc/redeem/', { secret: code, lists: [list?.id] })
    const attention = body.require_attention ? ' with attention' : ''
    return `${list?.name}: ${body.reason ?? body.status}${attention}`
  }

  it('is all there on a server that runs, with a token for it', async () => {
    const count = async (path: string) => (await call('GET', path)).body.count
    const event = (await call('GET', '/events/festival/')).body
    assert.deepEqual([event.live, event.name.en], [true, 'Riverside Festival'])
    assert.equal(await count('/events/'), 1)
    assert.equal(await count('/gates/'), 2)
    assert.deepEqual(
      lists.map(({ name }) => name),
      ['Main entrance', 'VIP lounge', 'Workshop'],
    )
    assert.equal(await count('/events/festival/questions/'), 4)
    assert.equal(await count('/events/festival/quotas/'), 8)
  })

  it('does at the door what is printed on its sample tickets', async () => {
    const outcomes: string[] = []
    for (const ticket of tickets) outcomes.push(await scan(ticket))
    assert.deepEqual(outcomes, [
      'Main entrance: ok',
      'Main entrance: ok',
      'Main entrance: unpaid',
      'Main entrance: canceled',
      'Main entrance: incomplete',
      'VIP lounge: ok',
      'VIP lounge: rules',
      'Main entrance: ok with attention',
      'Main entrance: unapproved',
      'Main entrance: blocked',
      'Workshop: ok',
      'Workshop: incomplete',
      'Workshop: product',
    ])
    const [, second, , , , lounge] = tickets
    assert.ok(second && lounge)
    assert.match(second.note, /second scan is refused/)
    assert.equal(await scan(second), 'Main entrance: already_redeemed')
    assert.match(lounge.note, /three times a day/)
    assert.deepEqual(
      [await scan(lounge), await scan(lounge), await scan(lounge)],
      ['VIP lounge: ok', 'VIP lounge: ok', 'VIP lounge: rules'],
    )
  })

  it('comes with tickets to print and pictures of them that scan', async () => {
    const codes = tickets.map(({ code }) => code)
    assert.equal(new Set(codes).size, 13)
    assert.equal(demo.sheet, join(data, 'demo', 'tickets.pdf'))
    for (const { code, png } of tickets) assert.deepEqual(await textsIn(readFileSync(png)), [code])
    const pages = folder()
    execFileSync('/usr/bin/pdftoppm', [demo.sheet, join(pages, 'page'), '-r', '150', '-gray', '-png'])
    const read: string[] = []
    for (const name of readdirSync(pages)) read.push(...(await textsIn(readFileSync(join(pages, name)))))
    assert.deepEqual(read.sort(), codes.sort())
  })

  it('is the same when it is asked for again, with a new token, in the language asked for', async () => {
    const out = join(folder(), 'Probe')
    const again = await made(['demo', '--data', data, '--json', '--out', out, '--language', 'de'])
    assert.notEqual(again.token, demo.token)
    assert.deepEqual([again.organizer, again.event], [demo.organizer, demo.event])
    const shown = again.tickets as Ticket[]
    assert.deepEqual(
      shown.map(({ code }) => code),
      tickets.map(({ code }) => code),
    )
    assert.equal(shown[0]?.product.includes('Tageskarte'), true)
    assert.equal(again.sheet, join(out, 'tickets.pdf'))
    const first = demo
    demo = again
    assert.equal((await call('GET', '/events/')).body.count, 1)
    assert.equal((await call('GET', '/teams/')).body.count, 1)
    demo = first
    assert.equal((await call('GET', '/events/')).status, 200)
  })

  it('says where it cannot write the tickets to, and which languages there are', async () => {
    const file = join(folder(), 'file')
    writeFileSync(file, '')
    await refused(
      ['demo', '--data', data, '--out', file],
      /cannot be written .* Choose another folder with --out/,
    )
    await refused(
      ['demo', '--data', data, '--language', 'xx'],
      /Allowed choices are en, de, fr, es, it, nl, pl, cs, ar\./,
    )
  })
})
