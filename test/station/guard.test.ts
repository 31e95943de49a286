import assert from 'node:assert/strict'
import sql from 'sql-template-tag'
import { addList } from '../support/ticketing/tickets.ts'
import { type Desk, openDesk, type StationAnswer } from './desk.ts'

describe('one physical scan that is read twice', () => {
  let desk: Desk
  beforeEach(async () => {
    desk = await openDesk()
    await desk.setUp()
    await desk.sell('ticket')
  })
  afterEach(() => desk.close())

  const short = ({ body }: StationAnswer) => [body.status, body.reason, body.repeated]
  const stored = async () => (await desk.transactions.database.all(sql`SELECT id FROM checkin`)).length

  it('is answered with the first result for three seconds, and stored once', async () => {
    const first = await desk.scan('ticket')
    desk.env.pass(2999)
    const second = await desk.scan('ticket')
    assert.deepEqual(second.body, { ...first.body, repeated: true })
    assert.equal(await stored(), 1)
    desk.env.pass(1)
    assert.deepEqual(short(await desk.scan('ticket')), ['error', 'already_redeemed', false])
  })

  it('is counted from the first reading, however often it is read', async () => {
    const answers = [await desk.scan('ticket')]
    for (let time = 0; time < 3; time += 1) {
      desk.env.pass(1000)
      answers.push(await desk.scan('ticket'))
    }
    assert.deepEqual(
      answers.map((answer) => answer.body.repeated),
      [false, true, true, false],
    )
  })

  it('may come from two sources, and with another nonce', async () => {
    const first = await desk.scan('ticket', { source: 'hid', nonce: 'a' })
    const second = await desk.scan('ticket', { source: 'camera', nonce: 'b' })
    assert.deepEqual([second.body.repeated, second.body.nonce], [true, first.body.nonce])
    assert.equal(await stored(), 1)
  })

  it('may say the direction once and leave it to the station the other time', async () => {
    await desk.scan('ticket', { source: 'hid' })
    assert.equal((await desk.scan('ticket', { type: 'entry' })).body.repeated, true)
    assert.deepEqual(short(await desk.scan('ticket', { type: 'exit' })), ['ok', null, false])
  })

  it('is one when both readings arrive together', async () => {
    const answers = await Promise.all(Array.from({ length: 5 }, () => desk.scan('ticket', { source: 'hid' })))
    assert.deepEqual(answers.map((answer) => answer.body.repeated).sort(), [false, true, true, true, true])
    assert.equal(new Set(answers.map((answer) => answer.body.id)).size, 1)
    assert.equal(await stored(), 1)
  })

  it('is one although a scanner puts marks in front and another does not', async () => {
    await desk.scan('ticket')
    assert.equal((await desk.scan('\\000026ticket ')).body.repeated, true)
  })

  it('is not what a person does by hand', async () => {
    await desk.scan('ticket')
    assert.deepEqual(short(await desk.scan('ticket', { source: 'hand' })), [
      'error',
      'already_redeemed',
      false,
    ])
  })

  it('is not what follows a first answer: payment waived, questions answered, force', async () => {
    await desk.sell('pending', {}, { status: 'n' })
    await desk.scan('pending')
    assert.deepEqual(short(await desk.scan('pending', { ignore_unpaid: true })), ['ok', null, false])
    assert.deepEqual(short(await desk.scan('pending', { force: true })), ['ok', null, false])
    assert.deepEqual(short(await desk.scan('pending', { answers: {} })), ['error', 'unpaid', false])
  })

  it('is not the scan of another code', async () => {
    await desk.sell('Ticket')
    await desk.scan('ticket')
    assert.deepEqual(short(await desk.scan('Ticket')), ['ok', null, false])
  })

  it('is not what is scanned again after it was undone', async () => {
    const { body } = await desk.scan('ticket')
    await desk.call('POST', '/api/v1/station/undo/', { nonce: body.nonce })
    assert.deepEqual(short(await desk.scan('ticket')), ['ok', null, false])
  })

  it('is not what is scanned after the station was set to another list or direction', async () => {
    await desk.scan('ticket')
    await desk.setUp({ direction: 'exit' })
    assert.deepEqual(short(await desk.scan('ticket')), ['ok', null, false])
    const list = await desk.transactions.write((tx) => addList(tx, desk.place, 'Second'))
    await desk.setUp({ list })
    assert.deepEqual(short(await desk.scan('ticket')), ['ok', null, false])
  })

  it('is not what was read apart and arrives together, after the server was away', async () => {
    const first = await desk.scan('ticket', { source: 'hid', datetime: '2030-06-01T09:00:00Z' })
    const twice = await desk.scan('ticket', { source: 'hid', datetime: '2030-06-01T09:00:02Z' })
    const later = await desk.scan('ticket', { source: 'hid', datetime: '2030-06-01T09:00:03Z' })
    assert.deepEqual([first, twice, later].map(short), [
      ['ok', null, false],
      ['ok', null, true],
      ['error', 'already_redeemed', false],
    ])
  })

  it('is forgotten after three seconds, so that nothing piles up', async () => {
    for (let index = 0; index < 50; index += 1) await desk.scan(`unknown ${index}`)
    desk.env.pass(3000)
    assert.equal((await desk.scan('unknown 7')).body.repeated, false)
  })
})
