import assert from 'node:assert/strict'
import sql from 'sql-template-tag'
import { restoreFacts } from '../../../server/sync/replica/own-facts.ts'
import { engines } from '../../support/engines/engines.ts'
import { addQuestion } from '../../support/ticketing/tickets.ts'
import { reportUpstream } from './reported-facts.ts'
import { dayAt, openUpstreamNode, type UpstreamNode } from './upstream-node.ts'

for (const engine of engines)
  describe(`answers that a station tells of, on ${engine.name}`, () => {
    let upstream: UpstreamNode
    let name: number
    let size: number
    let ticket: { id: number; order: number }
    beforeEach(async () => {
      upstream = await openUpstreamNode(await engine.open())
      await upstream.transactions.write(async (tx) => {
        name = await addQuestion(tx, upstream.place, [upstream.item], { identifier: 'name' })
        size = await addQuestion(tx, upstream.place, [upstream.item], { identifier: 'size' })
      })
      ticket = await upstream.sell('code')
    })
    afterEach(() => upstream.close())

    const say = (
      clock: string,
      answers: Record<number, string>,
      removed: readonly number[] = [],
      position = ticket.id,
    ) =>
      upstream.apply(
        upstream.fact('answers', upstream.north, {
          position,
          answers: Object.entries(answers).map(([question, answer]) => ({
            question: Number(question),
            answer,
            options: [],
          })),
          removed,
        }),
        { at: dayAt(clock) },
      )
    const stored = async () => {
      const row = await upstream.database.get<{ answers: string }>(
        sql`SELECT answers FROM order_position WHERE id = ${ticket.id}`,
      )
      const answers: { question: number; answer: string }[] = JSON.parse(row?.answers ?? '[]')
      return Object.fromEntries(
        answers.map(({ question, answer }) => [question === name ? 'name' : 'size', answer]),
      )
    }

    it('are stored with the ticket, and the order counts as changed', async () => {
      assert.deepEqual(await say('09:00', { [name]: 'Ada' }), { status: 'applied' })
      assert.deepEqual(await stored(), { name: 'Ada' })
      const order = await upstream.database.get<{ last_modified: string }>(
        sql`SELECT last_modified FROM orders WHERE id = ${ticket.order}`,
      )
      assert.equal(order?.last_modified, dayAt('10:00'))
    })

    it('leave answers to other questions as they are', async () => {
      await say('09:00', { [name]: 'Ada' })
      await say('09:01', { [size]: 'L' })
      assert.deepEqual(await stored(), { name: 'Ada', size: 'L' })
    })

    it('are the newest of each question, whichever comes last', async () => {
      await say('09:05', { [name]: 'Grace' })
      await say('09:00', { [name]: 'Ada', [size]: 'L' })
      assert.deepEqual(await stored(), { name: 'Grace', size: 'L' })
    })

    it('may be taken back, and stay so', async () => {
      await say('09:00', { [name]: 'Ada', [size]: 'L' })
      await say('09:05', {}, [name])
      await say('09:02', { [name]: 'Grace' })
      assert.deepEqual(await stored(), { size: 'L' })
    })

    it('to a question that was deleted are left out', async () => {
      assert.deepEqual(await say('09:00', { [name]: 'Ada', 424242: 'lost' }), { status: 'applied' })
      assert.deepEqual(await stored(), { name: 'Ada' })
    })

    it('of a ticket that is not known are refused, or wait for an order from a station', async () => {
      assert.equal((await say('09:59', { [name]: 'Ada' }, [], 424242)).status, 'rejected')
      const sold = 101 * 2 ** 32 + 7
      assert.equal((await say('09:59', { [name]: 'Ada' }, [], sold)).status, 'retry')
      assert.equal((await say('09:00', { [name]: 'Ada' }, [], sold)).status, 'rejected')
    })

    it('that make no sense are refused in words', async () => {
      const wrong = { position: ticket.id, answers: [{ question: name, answer: 7, options: [] }] }
      await assert.rejects(upstream.apply(upstream.fact('answers', upstream.north, wrong)), /Refusal/)
    })

    it('come with a scan where nothing but its signature was known', async () => {
      await upstream.tell({
        station: upstream.north,
        position: null,
        secret: 'code',
        nonce: 'n',
        clock: '09:00',
        payload: { by_signature: true, answers: [{ question: name, answer: 'Ada', options: [] }] },
      })
      assert.deepEqual(await stored(), { name: 'Ada' })
    })
  })

for (const engine of engines)
  describe(`a name that a guest has corrected at a kiosk, on ${engine.name}`, () => {
    let upstream: UpstreamNode
    let ticket: number
    const before = { _scheme: 'full', full_name: 'Ada Lovelase' }
    const parts = { _scheme: 'full', full_name: 'Ada Lovelace' }
    beforeEach(async () => {
      upstream = await openUpstreamNode(await engine.open())
      const sold = { attendee_name: 'Ada Lovelase', attendee_name_parts: before }
      ticket = (await upstream.sell('code', sold)).id
      await lets(true)
    })
    afterEach(() => upstream.close())

    const lets = (isAllowed: boolean) =>
      upstream.database.run(
        sql`UPDATE event SET settings = ${JSON.stringify({ kiosk_name_correction: isAllowed })}`,
      )
    const stored = async (): Promise<string> =>
      (
        await upstream.database.get<{ name: string }>(
          sql`SELECT attendee_name AS name FROM order_position WHERE id = ${ticket}`,
        )
      )?.name ?? ''
    const corrected = (more: object = {}) =>
      upstream.fact('attendee_name', upstream.north, {
        position: ticket,
        secret: 'code',
        before,
        parts,
        ...more,
      })
    const report = async (more: object = {}) => {
      const [result] = await reportUpstream(upstream, upstream.north, [corrected(more)])
      return [result?.status, result?.reason]
    }

    it('is stored, once', async () => {
      assert.deepEqual(await report(), ['applied', undefined])
      assert.equal(await stored(), 'Ada Lovelace')
      const changes = await upstream.database.all(
        sql`SELECT id FROM audit WHERE action = 'ticketsvc.event.order.modified'`,
      )
      assert.equal(changes.length, 1)
    })

    it('does not undo what the organizer has changed meanwhile', async () => {
      assert.deepEqual(await report({ before: { _scheme: 'full', full_name: 'A. L.' } }), [
        'applied',
        undefined,
      ])
      assert.equal(await stored(), 'Ada Lovelase')
    })

    it('is refused where the event lets nobody, and of a ticket that is not known', async () => {
      assert.deepEqual(await report({ position: 424_242, secret: 'other' }), ['rejected', 'unknown_order'])
      await lets(false)
      assert.deepEqual(await report(), ['rejected', 'may_not_correct'])
      assert.equal(await stored(), 'Ada Lovelase')
    })

    it('is put back into a fresh copy', async () => {
      const payload = JSON.stringify({ position: ticket, secret: 'code', before, parts })
      const fact = { ...upstream.place, kind: 'attendee_name', device: upstream.north.device, payload }
      assert.equal(await upstream.transactions.write((tx) => restoreFacts(tx, [fact])), 0)
      assert.equal(await stored(), 'Ada Lovelace')
    })
  })
