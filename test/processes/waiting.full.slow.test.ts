import assert from 'node:assert/strict'
import { createHash, randomUUID } from 'node:crypto'
import type { RowData } from '../../server/resource/codec.ts'
import { type Fleet, shipyard } from './support/fleet.ts'
import {
  admittedAt,
  agree,
  codesOf,
  countAt,
  differenceOf,
  freshOf,
  isFollowing,
  isReported,
  linkOf,
  org,
  scan,
} from './support/ground.ts'
import { type Machine, waitFor } from './support/machine.ts'
import { addQueue, inserter } from './support/queue.ts'
import { makeSmallDisk, type SmallDisk } from './support/small-disk.ts'

/**
 * Facts that a station has to tell in the end, inserted as rows like that of a scan it has made. So few in every run;
 * `QUEUED_FACTS=50000` for as many as the case is about, which takes a minute.
 */
const many = Number(process.env.QUEUED_FACTS ?? 2_000)

describe('what waits to be reported by stations that are processes of their own', function () {
  this.timeout(300_000 + many * 5)
  const launch = shipyard()
  const codes = codesOf(400)
  let disk: SmallDisk
  let fleet: Fleet
  let central: Machine
  /** Tickets that nobody has used yet. */
  const fresh = freshOf(codes)
  before(async () => {
    disk = makeSmallDisk()
    fleet = await launch({ codes, names: ['North', 'South'] })
    central = fleet.central
  })
  after(() => disk.remove())
  const posts = () => {
    const [north, south] = fleet.posts
    assert.ok(north && south)
    return { north, south }
  }

  it('case 114: reported in reverse and twice, through files, it comes to the same', async () => {
    const { north, south } = posts()
    const [both, mine, theirs, undone] = [fresh(5), fresh(5), fresh(5), fresh(1)[0] ?? '']
    for (const { wire } of [north, south]) wire.weather = 'cut'
    for (const code of [...both, ...mine]) await scan(north.machine, code)
    for (const code of [...theirs, ...both]) await scan(south.machine, code)
    const { nonce } = await scan(north.machine, undone)
    assert.equal((await north.machine.call('POST', '/api/v1/station/undo/', { nonce })).status, 200)
    const files = await Promise.all(
      [north, south].map(async ({ machine }) =>
        String((await machine.call('GET', '/api/v1/station/queue/export/')).body),
      ),
    )
    const other = fleet.build('another central')
    central.tamper((database) => database.prepare('VACUUM INTO ?').run(other.file))
    await other.start()
    const bring = async (machine: Machine, file: string): Promise<void> => {
      const answer = await machine.call('POST', `${org}/sync/import/`, file)
      assert.equal(answer.status, 200, JSON.stringify(answer.body))
    }
    for (const file of files) await bring(central, file)
    for (const file of files.toReversed()) await bring(other, reversedTwice(file))
    for (const file of files) await bring(other, file)
    // Each notes when it was told.
    assert.equal(differenceOf(central, other, ['created', 'detected']), null)
    assert.equal(countAt(central, 'conflict'), 5)
    const admitted = admittedAt(central)
    assert.deepEqual(
      both.map((code) => admitted.get(code)),
      [2, 2, 2, 2, 2],
    )
    assert.deepEqual(
      [...mine, ...theirs].filter((code) => admitted.get(code) !== 1),
      [],
    )
    assert.equal(admitted.get(undone), undefined)
    await other.stop()
    for (const { wire } of [north, south]) wire.weather = 'pass'
    for (const { machine } of [north, south]) await isReported(machine)
    await agree(central, [north.machine, south.machine])
    assert.equal(countAt(central, 'conflict'), 5)
  })

  it('case 121: a scan that finds the disk full is not answered as let in, and scanning goes on with room', async () => {
    const post = await fleet.addPost('Full', {}, disk.folder)
    post.wire.weather = 'cut'
    const { machine } = post
    const attempt = async (code: string): Promise<boolean> => {
      const answer = await machine.call('POST', '/api/v1/station/scan/', { code, source: 'hand' })
      if (answer.status === 200) return (answer.body as RowData).status === 'ok'
      assert.ok(answer.status >= 500, JSON.stringify(answer.body))
      assert.equal(typeof (answer.body as RowData).detail, 'string')
      return false
    }
    const letIn: string[] = []
    const failed: string[] = []
    for (const code of fresh(3)) if (await attempt(code)) letIn.push(code)
    assert.equal(letIn.length, 3)
    disk.fill(machine)
    for (const code of fresh(60))
      if (await attempt(code)) letIn.push(code)
      else failed.push(code)
    assert.ok(failed.length > 0)
    disk.clear(machine)
    for (const code of failed) {
      const shown = await scan(machine, code)
      assert.equal(shown.status, 'ok', JSON.stringify(shown))
      letIn.push(code)
    }
    await machine.kill()
    assert.deepEqual(machine.read('PRAGMA integrity_check'), [{ integrity_check: 'ok' }])
    await fleet.restart(machine)
    post.wire.weather = 'pass'
    await isReported(machine)
    const admitted = admittedAt(central)
    assert.deepEqual(
      letIn.filter((code) => admitted.get(code) !== 1),
      [],
    )
    await agree(central, [machine])
  })

  it(`case 116: ${many} facts are reported`, async () => {
    const { north } = posts()
    north.wire.weather = 'cut'
    const before = countAt(central, 'checkin')
    await scan(north.machine, 'nobody has this code')
    await north.machine.stop()
    north.machine.tamper((database) => addQueue(database, many))
    const asked = north.wire.asked.length
    await fleet.restart(north.machine)
    north.wire.weather = 'pass'
    await isReported(north.machine, 90 + many / 100)
    assert.equal(countAt(central, 'checkin'), before + many + 1)
    const pushes = north.wire.asked.slice(asked).filter((line) => /sync\/push/.test(line)).length
    assert.ok(pushes <= Math.ceil(many / 500) + 5, `${pushes} requests`)
  })

  it('case 113: what nobody can take in is put aside and holds up nothing else', async () => {
    const { north } = posts()
    const tickets = fresh(6)
    north.wire.weather = 'cut'
    for (const code of tickets.slice(0, 5)) assert.equal((await scan(north.machine, code)).status, 'ok')
    await north.machine.stop()
    north.machine.tamper((database) => {
      database.exec("UPDATE outbox SET seq = seq + 1000000 WHERE state = 'waiting'")
      const [model] = database
        .prepare("SELECT * FROM outbox WHERE kind = 'checkin' AND state = 'waiting' ORDER BY seq")
        .all() as RowData[]
      assert.ok(model)
      const insert = inserter(database, 'outbox', model)
      const poison = (seq: number, values: RowData): void => {
        insert({ ...model, seq, nonce: randomUUID(), site_seq: seq, ...values })
      }
      poison(900_501, { payload: '{}' })
      poison(900_502, { kind: 'nonsense' })
      poison(900_503, { payload: JSON.stringify({ row: { id: 'x', position: {}, list: [] }, secret: 5 }) })
      poison(900_504, { payload: '{"row": {"id": 7' })
      poison(900_505, { event: 987_654 })
    })
    await fleet.restart(north.machine)
    north.wire.weather = 'pass'
    const isTheRestReported = async (): Promise<boolean> => (await linkOf(north.machine)).queue === 1
    await waitFor('all else is reported', isTheRestReported)
    await isFollowing(north.machine)
    // As patient as a station can be: whether central is quick is not what this is about.
    await north.machine.call('PUT', '/api/v1/station/link/settings/', { confirm_ms: 5000 })
    assert.equal((await scan(north.machine, String(tickets[5]))).confirmed, true)
    await waitFor('that is noted', isTheRestReported)
    const link = await linkOf(north.machine)
    // What a newer program tells may be understood after the next update.
    assert.deepEqual([link.queue, link.parked], [1, 4])
    const parked = await north.machine.call('GET', '/api/v1/station/queue/?state=parked')
    const { results } = parked.body as { results: { reason: string | null; text: string }[] }
    assert.ok(results.every(({ reason, text }) => reason !== null && text !== ''))
    const admitted = admittedAt(central)
    assert.deepEqual(
      tickets.filter((code) => admitted.get(code) !== 1),
      [],
    )
  })
})

/** The same file with its facts the other way round, each of them twice. */
function reversedTwice(file: string): string {
  const [head, ...rest] = file.trimEnd().split('\n')
  const end = JSON.parse(String(rest.pop()))
  const facts = rest.toReversed().flatMap((line) => [line, line])
  const body = [head, ...facts].map((line) => `${line}\n`).join('')
  const sha256 = createHash('sha256').update(body).digest('hex')
  return `${body}${JSON.stringify({ ...end, facts: facts.length, sha256 })}\n`
}
