import assert from 'node:assert/strict'
import { question } from '../../../schema/resources/catalogue/question.ts'
import { questionOption } from '../../../schema/resources/catalogue/question-option.ts'
import type { RowData } from '../../../server/resource/codec.ts'
import { quickest } from '../../support/engines/engines.ts'
import { addRow, type ShopServer, type ShownOrder, startShop } from '../../support/ticketing/orders.ts'

type Printed = Readonly<Record<string, unknown>> & { readonly images: Readonly<Record<string, unknown>> }

describe('answers that are printed', () => {
  let server: ShopServer
  const questions = new Map<string, number>()
  let options: number[]

  before(async () => {
    server = await startShop(await quickest.open())
    const place = { organizer: server.organizer, event: server.event }
    const { ticket, free } = server.shop
    await server.running.transactions.write(async (tx) => {
      const types = ['B', 'M', 'D', 'H', 'W', 'CC', 'N', 'TEL', 'S', 'F'] as const
      for (const type of types) {
        const values = { question: { en: type }, type, items: [ticket, free], identifier: `ask${type}` }
        questions.set(type, await addRow(tx, question, place, values))
      }
      options = []
      for (const [index, [en, de]] of [
        ['Fish', 'Fisch'],
        ['Soup', 'Suppe'],
        ['Cake', 'Kuchen'],
      ].entries())
        options.push(
          await addRow(tx, questionOption, place, {
            ...{ identifier: `menu${index}`, answer: { en, de }, position: 10 - index },
            question: questions.get('M'),
          }),
        )
    })
    await server.ask(200, 'PATCH', '/settings/', { locales: ['en', 'de'], timezone: 'Europe/Berlin' })
  })
  after(() => server.close())

  const answer = (type: string, text: string, chosen: readonly number[] = []) => ({
    ...{ question: questions.get(type), answer: text, options: chosen },
  })
  const all = () => [
    answer('B', 'True'),
    answer('M', 'x', [options[0] ?? 0, options[2] ?? 0]),
    answer('D', '2026-12-05'),
    answer('H', '14:30:00'),
    answer('W', '2026-12-05T18:30:00Z'),
    answer('CC', 'AT'),
    answer('N', '12'),
    answer('TEL', '+49 30 123'),
    answer('S', 'Rex, the dog'),
  ]
  async function printed(body: object): Promise<readonly Printed[]> {
    const sent = { status: 'p', payment_provider: 'manual', ...body }
    const { code } = await server.ask<ShownOrder>(201, 'POST', '/orders/', sent)
    const order = await server.ask<ShownOrder>(200, 'GET', `/orders/${code}/?pdf_data=true`)
    return order.positions.map((row) => (row as RowData).pdf_data as Printed)
  }
  const about = (data: Printed | undefined) =>
    Object.fromEntries([...questions.keys()].map((type) => [type, data?.[`question_ask${type}`]]))

  it('are words of the language of the order, by the identifier and by the number of the question', async () => {
    const [german] = await printed({
      locale: 'de',
      positions: [{ item: server.shop.ticket, answers: all() }],
    })
    assert.deepEqual(about(german), {
      ...{ B: 'Ja', M: 'Kuchen, Fisch', D: '05.12.26', H: '14:30', W: '05.12.26, 19:30', CC: 'Österreich' },
      ...{ N: '12', TEL: '+49 30 123', S: 'Rex, the dog', F: undefined },
    })
    for (const [type, id] of questions)
      assert.equal(german?.[`question_${id}`], german?.[`question_ask${type}`], type)
    const [english] = await printed({
      positions: [{ item: server.shop.ticket, answers: [answer('B', 'False'), ...all().slice(1, 3)] }],
    })
    assert.deepEqual(
      [english?.question_askB, english?.question_askM, english?.question_askD],
      ['No', 'Cake, Fish', '12/5/26'],
    )
  })

  it('are empty where nothing was answered, and there is no picture', async () => {
    const [data] = await printed({ positions: [{ item: server.shop.ticket }] })
    const { F: file, ...texts } = about(data)
    assert.deepEqual([file, new Set(Object.values(texts))], [undefined, new Set([''])])
    assert.deepEqual(data?.images, { question_askF: null })
    assert.deepEqual([data?.attendee_name_given_name, data?.attendee_name_family_name], ['', ''])
  })

  it('are those of the ticket on an add-on that has none of its own', async () => {
    const [, addon, own] = await printed({
      positions: [
        { positionid: 1, item: server.shop.ticket, answers: [answer('S', 'Rex'), answer('N', '5')] },
        { positionid: 2, item: server.shop.free, addon_to: 1 },
        { positionid: 3, item: server.shop.free, addon_to: 1, answers: [answer('S', 'Bello')] },
      ],
    })
    assert.deepEqual([addon?.question_askS, addon?.question_askN], ['Rex', '5'])
    assert.deepEqual([own?.question_askS, own?.question_askN], ['Bello', '5'])
  })
})
