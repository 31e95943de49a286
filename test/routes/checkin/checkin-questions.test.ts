import assert from 'node:assert/strict'
import sql from 'sql-template-tag'
import type { RowData } from '../../../server/resource/codec.ts'
import { engines } from '../../support/engines/engines.ts'
import { addItem, addOption, addOrder, addQuestion } from '../../support/ticketing/tickets.ts'
import { bodyOf, type Door, keysOf, openDoor, scansOf, verdict } from './checkin-door.ts'

for (const engine of engines)
  describe(`questions at check-in, on ${engine.name}`, () => {
    let door: Door
    let item: number
    let size: number
    let small: number
    let note: number
    before(async () => {
      door = await openDoor(await engine.open())
      const { place } = door
      await door.write(async (tx) => {
        item = await addItem(tx, place, 'With questions')
        size = await addQuestion(tx, place, [item], {
          question: { en: 'Size of the shirt?', de: 'Größe?' },
          type: 'C',
          required: true,
          position: 1,
          identifier: 'SIZE',
        })
        small = await addOption(tx, place, size, 'Small')
        await addOption(tx, place, size, 'Large', { position: 1 })
        note = await addQuestion(tx, place, [item], { type: 'S', position: 2, identifier: 'NOTE' })
        await addQuestion(tx, place, [item], { ask_during_checkin: false, identifier: 'LATER' })
        await addQuestion(tx, place, [door.item], {
          identifier: 'OTHER',
          required: true,
          ask_during_checkin: false,
        })
      })
    })
    after(() => door.server.close())

    const sell = (secret: string, answers: readonly RowData[] = []) =>
      door.write(async (tx) => {
        const sold = await addOrder(tx, door.place, [{ item, secret, answers }])
        return Number(sold.positions[0])
      })
    const answersOf = async (position: number) => {
      const row = await door.database.get<{ answers: string }>(
        sql`SELECT answers FROM order_position WHERE id = ${position}`,
      )
      return JSON.parse(row?.answers ?? '')
    }
    const asked = (body: RowData) => (body.questions as { id: number }[]).map((question) => question.id)

    it('asks what is open, required or not, and stores nothing meanwhile', async () => {
      await sell('asked')
      const answer = await door.redeem('asked')
      assert.equal(verdict(answer), '400 incomplete')
      const body = bodyOf(answer)
      assert.deepEqual(keysOf(body), [
        'checkin_texts',
        'list',
        'position',
        'questions',
        'require_attention',
        'status',
      ])
      assert.deepEqual(asked(body), [size, note])
      assert.deepEqual(await scansOf(door, 'asked'), [])
    })

    it('describes a question with everything needed to ask it', async () => {
      await sell('described')
      const [question] = bodyOf(await door.redeem('described')).questions as RowData[]
      assert.deepEqual(keysOf(question), [
        'ask_during_checkin',
        'dependency_question',
        'dependency_value',
        'dependency_values',
        'help_text',
        'hidden',
        'id',
        'identifier',
        'items',
        'options',
        'position',
        'print_on_invoice',
        'question',
        'required',
        'show_during_checkin',
        'type',
        'valid_date_max',
        'valid_date_min',
        'valid_datetime_max',
        'valid_datetime_min',
        'valid_file_portrait',
        'valid_number_max',
        'valid_number_min',
        'valid_string_length_max',
      ])
      assert.deepEqual(question?.question, { en: 'Size of the shirt?', de: 'Größe?' })
      assert.deepEqual((question?.options as RowData[] | undefined)?.[0], {
        id: small,
        identifier: 'Small',
        position: 0,
        answer: { en: 'Small' },
      })
    })

    it('admits with the answers, and keeps them with the position', async () => {
      const position = await sell('answered')
      const answer = await door.redeem('answered', { answers: { [size]: String(small), [note]: '' } })
      assert.equal(verdict(answer), '201 ok')
      assert.deepEqual(await answersOf(position), [{ question: size, answer: 'Small', options: [small] }])
      const shown = (bodyOf(answer).position as { answers: RowData[] }).answers
      assert.deepEqual(shown, [
        {
          question: size,
          answer: 'Small',
          options: [small],
          question_identifier: 'SIZE',
          option_identifiers: ['Small'],
        },
      ])
    })

    it('keeps the valid answers of an incomplete scan, and asks for the rest only', async () => {
      const position = await sell('half')
      const first = await door.redeem('half', { answers: { [size]: 'Small' } })
      assert.equal(verdict(first), '400 incomplete')
      assert.deepEqual(asked(bodyOf(first)), [note])
      assert.deepEqual((await answersOf(position)).length, 1)
      const second = await door.redeem('half', { answers: { [note]: 'hello' } })
      assert.equal(verdict(second), '201 ok')
      assert.deepEqual(
        (await answersOf(position)).map((one: RowData) => one.answer),
        ['Small', 'hello'],
      )
    })

    it('asks again what was answered wrong', async () => {
      const position = await sell('wrong')
      for (const wrong of ['Huge', '', null, 999, ['Small', 'Large'], {}]) {
        const answer = await door.redeem('wrong', { answers: { [size]: wrong, [note]: '' } })
        assert.equal(verdict(answer), '400 incomplete', JSON.stringify(wrong))
        assert.deepEqual(asked(bodyOf(answer)), [size])
      }
      assert.deepEqual(await answersOf(position), [])
    })

    it('does not ask what the order has answered', async () => {
      await sell('known', [
        { question: size, answer: 'Small', options: [small] },
        { question: note, answer: 'x', options: [] },
      ])
      assert.equal(verdict(await door.redeem('known')), '201 ok')
    })

    it('replaces a stored answer, and deletes it for an empty one', async () => {
      const position = await sell('changes', [
        { question: size, answer: 'Large', options: [] },
        { question: note, answer: 'old', options: [] },
      ])
      await door.redeem('changes', { answers: { [size]: 'Small', [note]: '' } })
      assert.deepEqual(await answersOf(position), [{ question: size, answer: 'Small', options: [small] }])
    })

    it('says already redeemed before it asks anything', async () => {
      const position = await sell('used')
      await door.redeem('used', { answers: { [size]: 'Small', [note]: '' } })
      await door.database.run(sql`UPDATE order_position SET answers = '[]' WHERE id = ${position}`)
      assert.equal(verdict(await door.redeem('used')), '400 error already_redeemed')
    })

    it('keeps answers of a scan that is refused after they were read, not before', async () => {
      const closed = await door.makeList({ all_products: false })
      const late = await sell('late refusal')
      const answers = { [size]: 'Small', [note]: 'x' }
      assert.equal(
        verdict(await door.redeem('late refusal', { lists: [closed], answers })),
        '400 error product',
      )
      assert.equal((await answersOf(late)).length, 2)
      const early = await sell('early refusal')
      await door.database.run(sql`UPDATE order_position SET blocked = '["x"]' WHERE id = ${early}`)
      assert.equal(verdict(await door.redeem('early refusal', { answers })), '400 error blocked')
      assert.deepEqual(await answersOf(early), [])
    })

    it('keeps no answers of a canceled ticket, also where it is called unpaid', async () => {
      const position = await sell('canceled')
      await door.database.run(sql`UPDATE orders SET status = 'c'
        WHERE id = (SELECT order_id FROM order_position WHERE id = ${position})`)
      const refused = await door.redeemAt(door.list, 'canceled', { answers: { [note]: 'x' } })
      assert.equal(verdict(refused), '400 error unpaid')
      assert.deepEqual(await answersOf(position), [])
    })

    it('asks nothing of those who cannot ask, but keeps what they say', async () => {
      const position = await sell('cannot ask')
      const more = { questions_supported: false, answers: { [note]: 'said anyway', [size]: 'Huge' } }
      assert.equal(verdict(await door.redeem('cannot ask', more)), '201 ok')
      assert.deepEqual(await answersOf(position), [{ question: note, answer: 'said anyway', options: [] }])
    })

    it('asks nothing on the way out, and takes no answers there', async () => {
      const position = await sell('leaves')
      assert.equal(verdict(await door.redeem('leaves', { type: 'exit', answers: { [note]: 'x' } })), '201 ok')
      assert.deepEqual(await answersOf(position), [])
    })

    it('asks nothing about other products', async () => {
      await door.sell('plain')
      assert.equal(verdict(await door.redeem('plain')), '201 ok')
    })

    it('asks nothing when forced, and does not call that forced', async () => {
      await sell('forced')
      assert.equal(verdict(await door.redeem('forced', { force: true })), '201 ok')
      const [scan] = await scansOf(door, 'forced')
      assert.deepEqual([scan?.forced, scan?.force_sent], [0, 1])
    })
  })
