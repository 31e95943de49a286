import assert from 'node:assert/strict'
import type { RowData } from '../../../server/resource/codec.ts'
import { engines } from '../../support/engines/engines.ts'
import { asking, valuesOf } from '../../support/servers/asking.ts'
import { startTestServer, type TestServer } from '../../support/servers/servers.ts'

for (const engine of engines)
  describe(`questions on ${engine.name}`, () => {
    let server: TestServer
    const ask = asking(() => server)
    const questions = () => `${server.ev}/questions/`
    const make = (body: RowData = {}, status = 201) =>
      ask('POST', questions(), status, { question: 'Why?', type: 'S', items: [], ...body })
    const change = (row: RowData, body: RowData, status = 200) =>
      ask('PATCH', `${questions()}${row.id}/`, status, body)
    const refused = async (answer: Promise<RowData>) =>
      assert.deepEqual(Object.keys(await answer), ['non_field_errors'])
    const refusedFor = async (field: string, answer: Promise<RowData>) =>
      assert.deepEqual(Object.keys(await answer), [field])

    before(async () => {
      server = await startTestServer(await engine.open())
    })
    after(() => server.close())

    it('are made with their options, which keep their order and get identifiers', async () => {
      const options = [
        { answer: 'Yes' },
        { answer: { en: 'No', de: 'Nein' }, identifier: 'no' },
        { answer: 'Maybe' },
      ]
      const row = await make({ type: 'C', options })
      const made = row.options as RowData[]
      assert.deepEqual(
        made.map(({ answer, position }) => [answer, position]),
        [
          [{ en: 'Yes' }, 0],
          [{ en: 'No', de: 'Nein' }, 0],
          [{ en: 'Maybe' }, 0],
        ],
      )
      assert.equal(made[1]?.identifier, 'no')
      for (const index of [0, 2])
        assert.match(String(made[index]?.identifier), /^[ABCDEFGHJKLMNPQRSTUVWXYZ3789]{8}$/)
      const listed = await ask('GET', `${questions()}${row.id}/options/`, 200)
      assert.deepEqual(listed.results, made)
    })

    it('say for each option what is wrong with it', async () => {
      const refusal = await make(
        { type: 'M', options: [{ answer: 'A' }, {}, { answer: 'B', identifier: 'NO' }] },
        400,
      )
      assert.deepEqual(
        (refusal.options as object[]).map((errors) => Object.keys(errors)),
        [[], ['answer'], []],
      )
      const twice = [
        { answer: 'A', identifier: 'x' },
        { answer: 'B', identifier: 'X' },
        { answer: 'C', identifier: 'NO' },
      ]
      assert.deepEqual(
        ((await make({ type: 'M', options: twice }, 400)).options as object[]).map((errors) =>
          Object.keys(errors),
        ),
        [[], ['identifier'], ['identifier']],
      )
      assert.deepEqual(Object.keys(await make({ options: [{ answer: 'A' }] }, 400)), ['options'])
    })

    it('do not take options with a change', async () => {
      const row = await make({ type: 'C', options: [{ answer: 'A' }] })
      await refused(change(row, { options: [] }, 400))
    })

    it('have an identifier that is their own in the event, whatever its case', async () => {
      await make({ identifier: 'Shoe-Size' })
      for (const identifier of ['Shoe-Size', 'shoe-size', 'SHOE-SIZE'])
        assert.deepEqual(Object.keys(await make({ identifier }, 400)), ['identifier'])
      for (const identifier of [null, '', undefined])
        assert.match(String((await make({ identifier })).identifier), /^[A-Z0-9]{8}$/)
      const row = await make({ identifier: 'hat' })
      assert.equal((await change(row, { identifier: 'HAT' })).identifier, 'HAT')
      assert.equal((await change(row, { identifier: null })).identifier, 'HAT')
      await change(row, { identifier: 'shoe-SIZE' }, 400)
    })

    it('have options whose identifiers are their own in the event', async () => {
      const [one, other] = [await make({ type: 'C' }), await make({ type: 'M' })]
      const path = (row: RowData) => `${questions()}${row.id}/options/`
      const option = await ask('POST', path(one), 201, { answer: 'Red', identifier: 'red' })
      await ask('POST', path(other), 400, { answer: 'Rot', identifier: 'RED' })
      await ask('PATCH', `${path(one)}${option.id}/`, 200, { identifier: 'RED', position: 3 })
      assert.equal((await ask('GET', path(one), 200)).count, 1)
      assert.equal((await ask('GET', `${path(one)}?active=true`, 200)).count, 1)
      assert.equal((await ask('GET', `${path(one)}?active=false`, 200)).count, 0)
      await refused(ask('POST', path(await make()), 400, { answer: 'Red' }))
    })

    it('depend on yes-or-no and choice questions only, and never in a circle', async () => {
      const [root, number] = [await make({ type: 'B' }), await make({ type: 'N' })]
      await refusedFor('dependency_question', make({ dependency_question: number.id }, 400))
      const middle = await make({ type: 'C', dependency_question: root.id, dependency_values: ['True'] })
      const leaf = await make({ type: 'B', dependency_question: middle.id })
      await refusedFor('dependency_question', change(root, { dependency_question: root.id }, 400))
      await refused(change(root, { dependency_question: leaf.id }, 400))
      await refused(change(root, { dependency_question: middle.id }, 400))
      assert.equal((await change(leaf, { dependency_question: root.id })).dependency_question, root.id)
    })

    it('do not depend on anything at the entrance', async () => {
      const [door, shop] = [await make({ type: 'B', ask_during_checkin: true }), await make({ type: 'B' })]
      await refused(make({ dependency_question: door.id }, 400))
      await refused(make({ dependency_question: shop.id, ask_during_checkin: true }, 400))
      const row = await make({ dependency_question: shop.id })
      await refused(change(row, { ask_during_checkin: true }, 400))
      await refused(change(shop, { ask_during_checkin: true }, 400))
      await refusedFor('type', change(shop, { type: 'S' }, 400))
      await change(shop, { type: 'M' })
    })

    it('cannot ask for a telephone number at the entrance', async () => {
      await refused(make({ type: 'TEL', ask_during_checkin: true }, 400))
      await refused(change(await make({ type: 'TEL' }), { ask_during_checkin: true }, 400))
    })

    it('take and show the value they depend on under its old name too', async () => {
      const root = await make({ type: 'B' })
      const row = await make({ dependency_question: root.id, dependency_value: 'True' })
      assert.deepEqual([row.dependency_values, row.dependency_value], [['True'], 'True'])
      const next = await change(row, { dependency_values: ['False', 'True'] })
      assert.equal(next.dependency_value, 'False')
      const both = { dependency_value: 'True', dependency_values: ['False'] }
      assert.deepEqual((await change(row, both)).dependency_values, ['True'])
      assert.deepEqual((await change(row, { dependency_value: null })).dependency_values, [])
    })

    it('forget what they depend on when it is deleted, and lose their options with them', async () => {
      const root = await make({ type: 'C', options: [{ answer: 'A', identifier: 'gone' }] })
      const row = await make({ dependency_question: root.id, dependency_values: ['gone'] })
      await ask('DELETE', `${questions()}${root.id}/`, 204)
      assert.equal((await ask('GET', `${questions()}${row.id}/`, 200)).dependency_question, null)
      await make({ type: 'C', options: [{ answer: 'A', identifier: 'gone' }] })
    })

    it('are found by their identifier', async () => {
      const row = await make({ identifier: 'lost-1' })
      assert.deepEqual(valuesOf(await ask('GET', `${questions()}?identifier=lost-1`, 200), 'id'), [row.id])
    })
  })
