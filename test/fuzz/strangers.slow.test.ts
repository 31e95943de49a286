import assert from 'node:assert/strict'
import sql from 'sql-template-tag'
import { quickest } from '../support/engines/engines.ts'
import { amount } from '../support/mocha/amount.ts'
import { seed } from '../support/mocha/chance.ts'
import { isMarked, keysOf, type Owner, rowsOf, wordsOf } from './canaries.ts'
import { bodiesFor, type ListedExporter, textIn } from './contents.ts'
import { pick, seeded } from './invent.ts'
import { busy, draft, type Request, targets } from './requests.ts'
import { Curious, grafts, renamed, unlike } from './strangers.ts'
import { callers, leastId, makeTwoOrganizers, type TwoOrganizers } from './two-organizers.ts'

const requests = amount(10_000, 1000, 300)

/** So many times from the beginning: what is looked at after each request grows with what those before it made. */
const rounds = amount(5, 1)

/** So many failures tell enough. */
const mostWrong = 8

/** Everything but what a one-time token opens to whoever has it. */
const asked = targets.filter(({ operation }) => operation.operationId !== 'own_device_initialize')
const askedOften = busy.filter((target) => asked.includes(target))

/**
 * Where a word that others have as well is stored as it was sent: a code of one's own, or what was scanned. Codes of
 * orders are there once in an organizer, so that one can be in use by an order that the caller may not see.
 */
const ownWords =
  /vouchers\/(batch_create\/)?$|giftcards\/$|reusablemedia\/$|orders\/$|redeem\/$|failed_checkins\/$/

interface Answered {
  readonly status: number
  readonly text: string
}

const shown = ({ method, path, body }: Request): string => `${method} ${path} ${body?.slice(0, 1500) ?? ''}`

/** The words of a request, however its address is written. */
function spoken({ path, body }: Request): Set<string> {
  const decoded = path.replace(/(%[0-9A-F]{2})+/gi, (part) => {
    try {
      return decodeURIComponent(part)
    } catch {
      return part
    }
  })
  return wordsOf(`${decoded} ${path} ${body ?? ''}`)
}

/** What is compared of two answers: all but moments, and what nobody can foresee of what was made or drawn. */
const comparable = ({ status, text }: Answered, isWrite: boolean): string =>
  text.startsWith('%PDF') || (isWrite && status < 300)
    ? String(status)
    : `${status} ${text.replace(/\d{4}-\d\d-\d\dT[\d:.]+Z|(?<=whole;)[^"]+/g, '')}`

const titleOf = (round: number): string =>
  `${requests} made-up requests that name what belongs to others, ${round}`

for (let round = 1; round <= rounds; round += 1)
  describe(titleOf(round), function () {
    this.timeout(180_000 + requests * 60)
    let two: TwoOrganizers
    let curious: Curious
    let keys: Set<string>
    let untouched: readonly string[]
    /** Words of others that callers have chosen for something of their own, or have scanned. */
    const taken = new Set<string>()
    let naming = 0

    const rowsAs = async (owner: Owner): Promise<readonly string[]> =>
      (await rowsOf(two.server.running.transactions.database, owner)).map(
        ([table, row]) => `${table} ${JSON.stringify(row)}`,
      )

    /** The rows that are not for the callers. */
    const othersRows = async (): Promise<readonly string[]> =>
      (await Promise.all(two.owners.map(rowsAs))).flat().toSorted()

    /** The rows of the organizer that the callers may enter, without those of the event that they may not. */
    async function ownRows(): Promise<string> {
      const { server, owners } = two
      const rows = await rowsOf(server.running.transactions.database, { organizer: server.organizer })
      const [, { event }] = owners
      return JSON.stringify(rows.filter(([table, row]) => (table === 'event' ? row.id : row.event) !== event))
    }

    /** What the audit trail says that callers have changed of others. */
    async function changedByCallers(): Promise<unknown[]> {
      const { database } = two.server.running.transactions
      const actors = await database.all<{ id: number }>(
        sql`SELECT id FROM team_token WHERE name = 'mine' UNION SELECT id FROM device WHERE device_id IN (91, 92)`,
      )
      const callerIds = new Set(actors.map(({ id }) => id))
      assert.equal(callerIds.size, 3)
      const rows = await Promise.all(two.owners.map((owner) => rowsOf(database, owner)))
      return rows.flat().filter(([table, row]) => table === 'audit' && callerIds.has(Number(row.actor)))
    }

    before(async () => {
      two = await makeTwoOrganizers(await quickest.open())
      const { database } = two.server.running.transactions
      const [theirs, veiled] = two.others
      curious = new Curious(two.own, [theirs, theirs, veiled], 0.35)
      const rows = await Promise.all(two.owners.map((owner) => rowsOf(database, owner)))
      const visible = wordsOf(await ownRows())
      keys = new Set([...keysOf(rows.flat(), leastId)].filter((key) => !visible.has(key)))
      untouched = await othersRows()
      assert.ok(keys.size > 300, String(keys.size))
    })
    after(() => two.server.close())

    async function ask({ method, path, body, headers }: Request): Promise<Answered> {
      const { status, body: answer } = await two.server.call(method, path, body, headers)
      if (path.startsWith(two.server.org)) two.own.learn({ method, path, body, headers }, status, answer)
      return { status, text: typeof answer === 'string' ? answer : JSON.stringify(answer) }
    }

    const isTheirs = (word: string): boolean => !taken.has(word) && (keys.has(word) || isMarked(word))

    /** How many rows have been written so far, by whomever. */
    async function rowsWritten(): Promise<number> {
      const { database } = two.server.running.transactions
      const row = await database.get<{ count: number }>(sql`SELECT total_changes() AS count`)
      return row?.count ?? Number.NaN
    }

    /** Looks at which words of others are stored by a request, and whether they may be. */
    async function storedBy({ path }: Request, named: readonly string[]): Promise<string[]> {
      const rows = await ownRows()
      const stored = named.filter((word) => rows.includes(word))
      for (const word of stored) taken.add(word)
      return ownWords.test(path.split('?')[0] ?? '') ? [] : stored
    }

    /** What is wrong with the answer to a request: that it reveals something, or is another one for what is nowhere. */
    async function wrongIn(request: Request): Promise<string | null> {
      const before = await rowsWritten()
      const answer = await ask(request)
      // Most requests that name others are refused: to read all rows after each would find what was there before.
      const hasWritten = (await rowsWritten()) !== before
      const said = spoken(request)
      const [revealed] = [...wordsOf(answer.text)].filter((word) => !said.has(word) && isTheirs(word))
      if (revealed !== undefined) {
        const at = Math.max(0, answer.text.indexOf(revealed) - 300)
        return `reveals ${revealed}: ${answer.text.slice(at, at + 600)}`
      }
      const named = [...said].filter(isTheirs)
      if (named.length === 0) return null
      naming += 1
      const isWrite = request.method !== 'GET'
      const stored = isWrite && hasWritten ? await storedBy(request, named) : []
      if (stored.length > 0) return `stores ${stored}`
      const twin = await ask(renamed(request, named))
      // What the twin has made is there from now on, under the other name.
      if (isWrite && twin.status < 300) for (const word of named) taken.add(word)
      if (isWrite && /\/orders\/$/.test(request.path)) return null
      const text = named.reduce((so, word) => so.replaceAll(unlike(word), word), twin.text)
      const [first, second] = [comparable(answer, isWrite), comparable({ ...twin, text }, isWrite)]
      if (first === second) return null
      return `names ${named}: ${first.slice(0, 300)}\n   and where they are nowhere: ${second.slice(0, 300)}`
    }

    it('are refused in every field that can name something, as what is nowhere', async () => {
      const wrong: string[] = []
      const fields = new Set<string>()
      const draw = seeded(seed + round)
      for (const { method, path, body = '' } of two.written) {
        curious.enter(/\/events\/([^/]+)\//.exec(path)?.[1] ?? 'gala')
        for (const other of two.others)
          for (const [field, text] of grafts(draw, body, two.own, other)) {
            const request = { method, path, body: text, headers: { Authorization: 'Token mine' } }
            const found = await wrongIn(request)
            fields.add(`${method} ${path.replace(/[^a-z_/]+/g, '*')} ${field}`)
            if (found) wrong.push(`${field} in ${shown(request)}\n   ${found}`)
          }
      }
      assert.ok(wrong.length === 0, wrong.slice(0, mostWrong).join('\n\n'))
      assert.ok(fields.size > 60, [...fields].join('\n'))
    })

    it('get nothing of theirs, change nothing there, and do not tell what is there from what is nowhere', async () => {
      const wrong: string[] = []
      naming = 0
      for (let index = 0; index < requests && wrong.length < mostWrong; index += 1) {
        const draw = seeded(seed + round * requests + index)
        const target = asked[index % 2 === 0 ? (index / 2) % asked.length : -1] ?? pick(draw, askedOften)
        curious.begin(draw)
        const request = draft(draw, target, curious, callers)
        const found = await wrongIn(request)
        if (found) wrong.push(`${round * requests + index}: ${shown(request)}\n   ${found}`)
      }
      assert.ok(wrong.length === 0, wrong.join('\n\n'))
      assert.ok(naming > requests / 15, `${naming} named something of others`)
      assert.deepEqual(await changedByCallers(), [])
      const rows = await othersRows()
      // The server seals the audit trails by itself once a minute.
      const isNewSeal = (row: string) => row.startsWith('audit_seal ') && !untouched.includes(row)
      assert.equal(rows.filter((row) => !isNewSeal(row)).join('\n'), untouched.join('\n'))
      assert.deepEqual([...wordsOf(await ownRows())].filter(isTheirs), [])
    })

    it('find nothing of theirs in files: exports in every format, tickets and invoices', async () => {
      const { server } = two
      const { url, org } = server
      const get = async (path: string, who: string) => {
        const address = path.startsWith('http') ? path : url + path
        const answer = await fetch(address, { headers: { Authorization: who } })
        return { status: answer.status, bytes: Buffer.from(await answer.arrayBuffer()) }
      }
      const listed = async <T>(path: string): Promise<readonly T[]> =>
        JSON.parse((await get(path, 'Token mine')).bytes.toString()).results ?? []
      /** The file at an address once it is there. */
      async function file(address: string, who: string): Promise<Buffer | null> {
        for (;;) {
          const { status, bytes } = await get(address, who)
          if (status !== 409) return status === 200 ? bytes : null
        }
      }
      const ask = async (path: string, body: object, who = 'Token mine') => {
        const answer = await server.call('POST', path, body, { Authorization: who })
        return {
          status: answer.status,
          download: String((answer.body as { download?: string } | null)?.download),
        }
      }
      const wrong: string[] = []
      let looked = 0
      const look = (name: string, bytes: Buffer | null): void => {
        if (!bytes) return
        looked += 1
        const found = [...wordsOf(textIn(bytes))].filter(isTheirs)
        if (found.length > 0) wrong.push(`${name}: ${found.slice(0, 5)}`)
      }
      const places = [org, ...['gala', 'tour'].map((event) => `${org}/events/${event}`)]
      for (const place of places) {
        const lists = place === org ? [] : await listed<{ id: number }>(`${place}/checkinlists/`)
        for (const exporter of await listed<ListedExporter>(`${place}/exporters/`))
          for (const body of bodiesFor(
            exporter,
            lists.map(({ id }) => id),
          )) {
            const { status, download } = await ask(`${place}/exporters/${exporter.identifier}/run/`, body)
            const name = `${place} ${exporter.identifier} ${JSON.stringify(body)}`
            if (status === 202) look(name, await file(download, 'Token mine'))
          }
      }
      for (const place of places.slice(1)) {
        for (const { number } of await listed<{ number: string }>(`${place}/invoices/`))
          look(number, (await get(`${place}/invoices/${number}/download/`, 'Token mine')).bytes)
        for (const { code } of (await listed<{ code: string }>(`${place}/orders/`)).slice(0, 20))
          look(code, await file(`${place}/orders/${code}/download/pdf/`, 'Token mine'))
      }
      assert.ok(looked > 50, `${looked} files`)
      assert.deepEqual(wrong, [])

      // What others have exported is theirs, and the one event is in no file of callers who may not enter it.
      const orders = { _format: 'xlsx', all_events: true }
      const theirs = await ask('/api/v1/organizers/zenith/exporters/orderlist/run/', orders, 'Token theirs')
      assert.equal(theirs.status, 202)
      assert.ok(
        isMarkedIn(await file(theirs.download, 'Token theirs')),
        'a file of theirs has nothing of theirs',
      )
      assert.ok([403, 404].includes((await get(theirs.download, 'Token mine')).status))
      const own = theirs.download.replace('/zenith/', '/acme/')
      assert.equal((await get(own, 'Token mine')).status, 404)
      const veiled = { _format: 'xlsx', events: ['gala', 'veiled'] }
      assert.equal((await ask(`${org}/exporters/orderlist/run/`, veiled)).status, 400)
    })
  })

const isMarkedIn = (bytes: Buffer | null): boolean =>
  bytes !== null && [...wordsOf(textIn(bytes))].some(isMarked)
