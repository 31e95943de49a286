import assert from 'node:assert/strict'
import sql from 'sql-template-tag'
import { hundredths, type RowData } from '../../../server/resource/codec.ts'
import { transact } from '../../../server/services/payments/gift-card-transactions.ts'
import { engines } from '../../support/engines/engines.ts'
import { asking, resultsOf, valuesOf } from '../../support/servers/asking.ts'
import {
  addOrganizer,
  addToken,
  allRights,
  startTestServer,
  type TestServer,
} from '../../support/servers/servers.ts'

const other = 'Token other'

for (const engine of engines)
  describe(`gift cards on ${engine.name}`, () => {
    let server: TestServer
    let stranger: number
    const ask = asking(() => server)
    const cards = (organizer = 'acme') => `/api/v1/organizers/${organizer}/giftcards/`
    const path = (row: RowData, organizer = 'acme') => `${cards(organizer)}${row.id}/`
    const make = (body: RowData = {}, status = 201) =>
      ask('POST', cards(), status, { currency: 'EUR', value: '20.00', ...body })
    const spend = (row: RowData, value: unknown, status = 200, more: RowData = {}) =>
      ask('POST', `${path(row)}transact/`, status, { value, ...more })
    const history = async (row: RowData) => resultsOf(await ask('GET', `${path(row)}transactions/`, 200))
    /** Every card is worth what its transactions sum up to. */
    const assertBalanced = async () => {
      const wrong = await server.running.transactions.database.all(
        sql`SELECT id, value FROM gift_card WHERE value < 0 OR value <>
              (SELECT coalesce(sum(t.value), 0) FROM gift_card_transaction t
               WHERE t.organizer = gift_card.organizer AND t.gift_card = gift_card.id)`,
      )
      assert.deepEqual(wrong, [])
    }

    before(async () => {
      server = await startTestServer(await engine.open())
      stranger = await server.running.transactions.write(async (tx) => {
        const id = await addOrganizer(tx, 'zenith')
        await addToken(tx, id, 'other', allRights)
        return id
      })
    })
    afterEach(assertBalanced)
    after(() => server.close())

    it('are given a code where none is sent', async () => {
      const [one, two] = [await make(), await make({ secret: '' })]
      for (const { secret } of [one, two]) assert.match(String(secret), /^[A-HJ-NP-Z3789]{12}$/)
      assert.notEqual(one.secret, two.secret)
    })

    it('have a code of their own, in large letters and in small ones', async () => {
      await make({ secret: 'Birthday.2030' })
      for (const secret of ['Birthday.2030', 'BIRTHDAY.2030'])
        assert.deepEqual(Object.keys(await make({ secret }, 400)), ['secret'])
    })

    it('are raised and spent, to nothing but not below', async () => {
      const card = await make()
      assert.equal((await spend(card, '5.5')).value, '25.50')
      assert.equal((await spend(card, -25.49, 200, { text: 'Drinks' })).value, '0.01')
      assert.deepEqual(Object.keys(await spend(card, '-0.02', 409)), ['value'])
      assert.equal((await spend(card, '-0.01')).value, '0.00')
      const rows = await history(card)
      assert.deepEqual(
        rows.map(({ value, text, event, order }) => [value, text, event, order]),
        [
          ['20.00', null, null, null],
          ['5.50', null, null, null],
          ['-25.49', 'Drinks', null, null],
          ['-0.01', null, null, null],
        ],
      )
      assert.deepEqual(Object.keys(rows[0] ?? {}).sort(), [
        'datetime',
        'event',
        'id',
        'info',
        'order',
        'text',
        'value',
      ])
    })

    it('are not changed by what is no amount, which is complained about in a list', async () => {
      const card = await make()
      for (const body of [
        {},
        { value: 'much' },
        { value: '1.234' },
        { value: null },
        { value: '1', text: {} },
      ]) {
        const refused: unknown = await ask('POST', `${path(card)}transact/`, 400, body)
        assert.ok(
          Array.isArray(refused) && refused.every((one) => typeof one === 'string'),
          JSON.stringify(refused),
        )
      }
      assert.equal((await history(card)).length, 1)
    })

    it('refuse another currency where one is named, and grow no larger than money can be', async () => {
      const card = await make()
      assert.deepEqual(Object.keys(await spend(card, '-1', 409, { currency: 'USD' })), ['currency'])
      assert.equal((await spend(card, '-1', 200, { currency: 'EUR' })).value, '19.00')
      assert.deepEqual(Object.keys(await spend(card, '99999999999.99', 400)), ['value'])
    })

    it('are changed by the difference when their value is set', async () => {
      const card = await make()
      assert.equal((await ask('PATCH', path(card), 200, { value: '12.50' })).value, '12.50')
      await ask('PATCH', path(card), 200, { value: '12.5', conditions: 'Soon' })
      await ask('PUT', path(card), 200, { value: '15' })
      assert.deepEqual(Object.keys(await ask('PATCH', path(card), 400, { value: '-1' })), ['value'])
      const values = (await history(card)).map(({ value }) => value)
      assert.deepEqual(values, ['20.00', '-7.50', '2.50'])
    })

    it('are deleted until they are used', async () => {
      const [unused, used] = [await make(), await make()]
      await ask('DELETE', path(unused), 204)
      await ask('GET', path(unused), 404)
      await spend(used, '-1')
      assert.deepEqual(Object.keys(await ask('DELETE', path(used), 403)), ['detail'])
      await ask('GET', path(used), 200)
    })

    it('are chosen by code, by mode and by whether they have expired', async () => {
      const old = await make({ secret: 'Old', expires: '2020-01-01T00:00:00Z' })
      const test = await make({ secret: 'Test', testmode: true, expires: '2999-01-01T00:00:00Z' })
      const found = async (query: string) => valuesOf(await ask('GET', `${cards()}?${query}`, 200), 'id')
      assert.deepEqual(await found('secret=oLD'), [old.id])
      assert.deepEqual(await found('secret=Ol'), [])
      assert.deepEqual(await found('testmode=true'), [test.id])
      assert.deepEqual(await found('expired=true'), [old.id])
      assert.ok((await found('expired=false')).includes(test.id))
      assert.deepEqual(Object.keys(await ask('GET', `${cards()}?expired=perhaps`, 400)), ['expired'])
    })

    it('of others are taken where these have allowed it, and never changed otherwise', async () => {
      const card = await make({ secret: 'SHARED' })
      const wide = (suffix = '') => `${path(card, 'zenith')}${suffix}?include_accepted=true`
      const list = async () =>
        valuesOf(
          await ask('GET', `${cards('zenith')}?include_accepted=true&secret=shared`, 200, undefined, other),
          'id',
        )
      assert.deepEqual(await list(), [])
      await ask('GET', wide(), 404, undefined, other)
      const grants = `${server.org}/giftcardacceptances/`
      const grant = await ask('POST', grants, 201, { acceptor: 'zenith' })
      assert.deepEqual(await list(), [card.id])
      await ask('GET', path(card, 'zenith'), 404, undefined, other)
      for (const word of ['1', 'True', 'yes'])
        await ask('GET', `${path(card, 'zenith')}?include_accepted=${word}`, 404, undefined, other)
      assert.equal((await ask('GET', wide(), 200, undefined, other)).secret, 'SHARED')
      assert.equal((await ask('POST', wide('transact/'), 200, { value: '-3' }, other)).value, '17.00')
      assert.equal((await ask('GET', wide('transactions/'), 200, undefined, other)).count, 2)
      await ask('POST', `${path(card, 'zenith')}transact/`, 404, { value: '-3' }, other)
      for (const method of ['PATCH', 'PUT', 'DELETE'])
        await ask(method, wide(), 403, method === 'DELETE' ? undefined : { value: '100' }, other)
      // Whoever takes them cannot give out the same code, nor can the other side.
      const again = { currency: 'EUR', value: '1', secret: 'shared' }
      assert.deepEqual(Object.keys(await ask('POST', cards('zenith'), 400, again, other)), ['secret'])
      await ask('POST', cards('zenith'), 201, { ...again, secret: 'THEIRS' }, other)
      assert.deepEqual(Object.keys(await make({ secret: 'theirs' }, 400)), ['secret'])
      await ask('PATCH', `${grants}${grant.id}/`, 200, { active: false })
      assert.deepEqual(await list(), [])
      await ask('POST', wide('transact/'), 404, { value: '-3' }, other)
      await ask('POST', cards('zenith'), 201, again, other)
    })

    it('are only shared with somebody else who exists', async () => {
      const grants = `${server.org}/giftcardacceptances/`
      for (const acceptor of ['acme', 'nobody', '..'])
        assert.deepEqual(Object.keys(await ask('POST', grants, 400, { acceptor })), ['acceptor'])
    })

    it('never go below nothing, however many spend them at once', async () => {
      const card = await make({ value: '10.00' })
      const answers = await Promise.all(
        Array.from({ length: 32 }, () => server.call('POST', `${path(card)}transact/`, { value: '-1.00' })),
      )
      const statuses = answers.map(({ status }) => status)
      assert.deepEqual(new Set(statuses), new Set([200, 409]))
      assert.equal(statuses.filter((status) => status === 200).length, 10)
      assert.equal((await ask('GET', path(card), 200)).value, '0.00')
      assert.equal((await history(card)).length, 11)
    })

    it('lose nothing when values are set and spent at once', async () => {
      const card = await make({ value: '100.00' })
      const answers = await Promise.all(
        Array.from({ length: 16 }, (_, n) =>
          n % 4 === 0
            ? server.call('PATCH', path(card), { value: '50.00' })
            : server.call('POST', `${path(card)}transact/`, { value: '-1.00' }),
        ),
      )
      assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200])
      const sum = (await history(card)).reduce((total, { value }) => total + hundredths(String(value)), 0)
      assert.equal(hundredths(String((await ask('GET', path(card), 200)).value)), sum)
    })

    it('say where they were spent', async () => {
      const card = await make()
      await server.running.transactions.write((tx) =>
        transact(
          tx,
          {
            kind: 'command',
            id: 0,
            name: '',
            organizer: null,
            permissions: new Set(),
            allEvents: true,
            events: new Set(),
            device: null,
          },
          { issuer: server.organizer, id: Number(card.id) },
          { value: -500, event: 'gala', order: 'ABCDE' },
        ),
      )
      const [, change] = await history(card)
      assert.deepEqual([change?.value, change?.event, change?.order], ['-5.00', 'gala', 'ABCDE'])
    })

    it('are nobody else’s business', async () => {
      assert.notEqual(stranger, server.organizer)
      const card = await make()
      await ask('GET', cards(), 403, undefined, other)
      await ask('POST', `${path(card)}transact/`, 403, { value: '1' }, other)
    })
  })
