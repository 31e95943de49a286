import assert from 'node:assert/strict'
import sql from 'sql-template-tag'
import { engines } from '../../support/engines/engines.ts'
import { addQuestion } from '../../support/ticketing/tickets.ts'
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
