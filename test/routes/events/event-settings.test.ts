import assert from 'node:assert/strict'
import { asking } from '../../support/servers/asking.ts'
import { startTestServer, type TestServer } from '../../support/servers/servers.ts'
import { addDevice } from '../../support/ticketing/tickets.ts'

describe('the settings of an event', () => {
  let server: TestServer
  const ask = asking(() => server)
  const path = () => `${server.ev}/settings/`

  before(async () => {
    server = await startTestServer()
    await server.running.transactions.write((tx) =>
      addDevice(tx, server.organizer, 1, 'scanner', { all_events: true }),
    )
  })
  after(() => server.close())

  it('keep what they are set to, also the time zone, which is the event’s own', async () => {
    const change = {
      timezone: 'Asia/Tokyo',
      locales: ['ja', 'en'],
      locale: 'ja',
      region: 'JP',
      name_scheme: 'family_given',
      attendee_names_required: 'true',
      ticket_download_date: 'RELDATE/1/09:00:00/date_from/',
      last_order_modification_date: '2030-05-31T23:59:59+09:00',
    }
    const settings = await ask('PATCH', path(), 200, change)
    assert.deepEqual(Object.fromEntries(Object.keys(change).map((key) => [key, settings[key]])), {
      ...change,
      attendee_names_required: true,
      last_order_modification_date: '2030-05-31T14:59:59Z',
    })
    assert.deepEqual(await ask('GET', path(), 200), settings)
    assert.equal((await ask('GET', `${server.ev}/`, 200)).timezone, 'Asia/Tokyo')
  })

  it('decide the language of plain texts', async () => {
    const { name } = await ask('POST', `${server.ev}/categories/`, 201, { name: '飲み物' })
    assert.deepEqual(name, { ja: '飲み物' })
  })

  it('go back to what the organizer says with null', async () => {
    await ask('PATCH', `${server.org}/settings/`, 200, { timezone: 'Europe/Rome', name_scheme: 'full' })
    const change = { timezone: null, locale: null, locales: null, name_scheme: null, region: null }
    const settings = await ask('PATCH', path(), 200, change)
    assert.deepEqual(
      [settings.timezone, settings.locale, settings.locales, settings.name_scheme, settings.region],
      ['Europe/Rome', 'en', ['en'], 'full', null],
    )
  })

  for (const [what, change, key] of [
    ['an unknown time zone', { timezone: 'Mars/Olympus' }, 'timezone'],
    ['a default language that is not available', { locale: 'fr' }, 'locale'],
    ['available languages without the default one', { locales: ['fr'] }, 'locale'],
    ['no languages at all', { locales: [] }, 'locales'],
    ['an unknown country', { region: 'XX' }, 'region'],
    [
      'an unknown country on invoices',
      { invoice_address_from_country: 'XX' },
      'invoice_address_from_country',
    ],
    ['an unknown name scheme', { name_scheme: 'nickname' }, 'name_scheme'],
    ['a number that is none', { reservation_time: 'long' }, 'reservation_time'],
    ['a negative number', { payment_term_days: -1 }, 'payment_term_days'],
    ['a flag that is none', { show_quota_left: 'maybe' }, 'show_quota_left'],
    ['a moment that is none', { ticket_download_date: 'soon' }, 'ticket_download_date'],
    ['a relation to nothing', { ticket_download_date: 'RELDATE/1/-/noon/' }, 'ticket_download_date'],
    ['what is required but not asked for', { attendee_emails_required: true }, 'attendee_emails_required'],
    ['no address', { invoice_email_organizer: 'office@example.org,x' }, 'invoice_email_organizer'],
    ['a list', [], 'non_field_errors'],
  ] as const)
    it(`refuse ${what}`, async () => {
      const before = await ask('GET', path(), 200)
      assert.deepEqual(Object.keys(await ask('PATCH', path(), 400, change)), [key])
      assert.deepEqual(await ask('GET', path(), 200), before)
    })

  it('show devices what a door needs, and let them change nothing', async () => {
    const seen = await ask('GET', path(), 200, undefined, 'Device scanner')
    assert.equal(seen.name_scheme, 'full')
    assert.ok(!('reservation_time' in seen))
    assert.deepEqual(seen._name_scheme_fields, [{ key: 'full_name', label: 'Name', weight: 1 }])
    for (const name of ['show_quota_left', 'max_items_per_order', 'invoice_address_from_name'])
      assert.ok(name in seen, name)
    await ask('PATCH', path(), 403, { locale: 'en' }, 'Device scanner')
  })

  it('are changed by PATCH alone', () => ask('PUT', path(), 405, {}))
})
