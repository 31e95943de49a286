import assert from 'node:assert/strict'
import sql from 'sql-template-tag'
import { item } from '../../../schema/resources/catalogue/item.ts'
import { openData } from '../../../server/data.ts'
import { realEnv } from '../../../server/env.ts'
import { blankRow } from '../../../server/resource/defaults.ts'
import { insertRows } from '../../../server/resource/store.ts'
import { commandActor } from '../../../server/services/accounts/accounts.ts'
import { grantSites } from '../../../server/services/devices/site-grants.ts'
import { claimMails, isMailDue } from '../../../server/services/notifications/mail-delivery.ts'
import { queueText } from '../../../server/services/notifications/mail-queue.ts'
import { epochOf } from '../../../server/services/operations/restored-database.ts'
import { closeOrganizer, openOrganizer } from '../../../server/services/organizer-move/export-organizer.ts'
import { countOf, openVenue, sell } from '../../support/servers/nodes.ts'
import { startTestServer, type TestServer } from '../../support/servers/servers.ts'

import { exported, imported, now, prepared, saying, withFolder, withOwnNumber } from './exports.ts'

describe('an organizer that is moved', () => {
  withFolder()
  it('is not changed by anybody where it was, until it is opened again', async () => {
    const server = await startTestServer()
    const { database } = server.running.transactions
    const venue = await openVenue(server, ['A'])
    await closeOrganizer(database, server.organizer, 'https://b.example', now())
    const write = () =>
      server.call('POST', `${server.ev}/items/`, { name: { en: 'Late' }, default_price: '1' })
    assert.equal((await write()).status, 503)
    await assert.rejects(
      server.running.transactions.write(async (tx) =>
        tx.changed({ organizer: server.organizer, event: server.event }, 'item', venue.item, 'put'),
      ),
      saying(/moved to https:\/\/b.example/),
    )
    await openOrganizer(database, server.organizer)
    assert.equal((await write()).status, 201)
    await server.close()
  })

  it('comes back to where it was, but not as it was before', async () => {
    const server = await startTestServer()
    const venue = await openVenue(server, ['A'])
    const { database } = server.running.transactions
    const file = await exported(database)
    const away = await prepared()
    await imported(away, file)
    const later = await openData(away, realEnv)
    await later.write((tx) => sell(tx, server.organizer, server.event, venue.item, ['NEW']))
    await later.write(async (tx) =>
      tx.changed({ organizer: server.organizer, event: server.event }, 'item', venue.item, 'put'),
    )
    const back = await exported(away)
    await imported(database, back)
    assert.equal(await countOf(server.running, 'order_position'), 2)
    assert.equal((await server.call('GET', `${server.ev}/items/`)).status, 200)
    const found = await server.call('GET', `${server.ev}/orderpositions/?search=Guest NEW`)
    assert.equal((found.body as { count: number }).count, 1)
    await assert.rejects(imported(away, file), saying(/more has happened since/))
    await server.close()
    await away.close()
  })

  it('keeps in its audit trail who did what, whoever has their number at the new place', async () => {
    const source = await withOwnNumber()
    const addPerson = (server: TestServer, email: string) =>
      server.running.transactions.database.run(
        sql`INSERT INTO app_user (id, email, email_key, password_hash, locale, timezone, is_staff, created)
            VALUES (5, ${email}, ${email}, '', 'en', 'UTC', 0, '2024')`,
      )
    await addPerson(source, 'ann@example.org')
    await source.running.transactions.write(async (tx) =>
      tx.audit(
        { organizer: source.organizer, event: 0 },
        { ...commandActor, kind: 'user', id: 5 },
        { action: 'ticketsvc.team.changed', resource: 'team', row: 1 },
      ),
    )
    const target = await startTestServer()
    await addPerson(target, 'bob@example.org')
    await imported(
      target.running.transactions.database,
      await exported(source.running.transactions.database, 'numbered'),
    )
    const path = '/api/v1/organizers/numbered/auditlog/?actor_kind=user'
    const answer = await target.call('GET', path, undefined, { Authorization: 'Token numbered' })
    const { results } = answer.body as { results: { actor: { name: string } }[] }
    assert.deepEqual(
      results.map(({ actor }) => actor.name),
      ['ann@example.org'],
    )
    await source.close()
    await target.close()
  })

  it('gets no number for a station that it has, also where others gave it back', async () => {
    const server = await startTestServer()
    const { database, write } = server.running.transactions
    const epoch = await epochOf(database)
    await database.run(sql`INSERT INTO free_site (site, site_end, epoch) VALUES (7, 8, ${epoch})`)
    await database.run(
      sql`INSERT INTO site_grant (organizer, site, site_end, device, given, used)
          VALUES (${server.organizer}, 7, 8, 99, '2024', 1)`,
    )
    const grant = (organizer: number) =>
      write((tx) => grantSites(tx, { organizer, device: 1, role: 'station', except: [] }))
    assert.notEqual((await grant(server.organizer)).site, 7)
    assert.equal((await grant(server.organizer + 1)).site, 7)
    await server.close()
  })
})

describe('what happens while an organizer is moved', () => {
  withFolder()
  it('is in the file where it was acknowledged, and else is not acknowledged', async () => {
    const codes = Array.from({ length: 60 }, (_, index) => `T${index}`)
    const server = await startTestServer()
    const venue = await openVenue(server, codes)
    let file: Promise<string> | undefined
    const answered: number[] = []
    const scan = async (code: string): Promise<void> => {
      const path = `${server.org}/checkinrpc/redeem/`
      const { status } = await server.call('POST', path, { secret: code, lists: [venue.list] })
      answered.push(status)
      if (answered.length === 20) file = exported(server.running.transactions.database)
    }
    const some = [...codes]
    const gate = async (): Promise<void> => {
      for (let code = some.shift(); code !== undefined; code = some.shift()) await scan(code)
    }
    await Promise.all([gate(), gate(), gate(), gate()])
    const admitted = answered.filter((status) => status === 201).length
    assert.ok(admitted >= 20 && admitted < codes.length, `${admitted}`)
    assert.deepEqual([...new Set(answered)].sort(), [201, 503])
    const target = await prepared()
    await imported(target, String(await file))
    const row = await target.get<{ count: number }>(sql`SELECT count(*) AS count FROM checkin`)
    assert.equal(row?.count, admitted)
    await target.close()
    await server.close()
  })

  it('is left to the new place: nothing is sent where it was', async () => {
    const server = await startTestServer()
    const { database, write } = server.running.transactions
    const place = { organizer: server.organizer, event: server.event }
    await write((tx) =>
      queueText(tx, place, {
        ...{ to: 'a@example.org', template: 'order_placed', locale: 'en', subject: 'S', text: 'T' },
      }),
    )
    const later = '2099-01-01T00:00:00.000000Z'
    assert.equal(await isMailDue(database, later), true)
    await closeOrganizer(database, server.organizer, 'elsewhere', now())
    assert.equal(await isMailDue(database, later), false)
    assert.deepEqual(await write((tx) => claimMails(tx, later, 10)), [])
    await openOrganizer(database, server.organizer)
    assert.equal((await write((tx) => claimMails(tx, later, 10))).length, 1)
    await server.close()
  })

  it('gets new numbers at a server that was running when it came', async () => {
    const source = await withOwnNumber()
    const addItems = (server: TestServer, organizer: number, event: number, count: number) =>
      server.running.transactions.write(async (tx) => {
        const row = { ...blankRow(item), name: { en: 'One' }, default_price: '1.00' }
        const rows = Array.from({ length: count }, () => ({ ...row, id: tx.nextId() }))
        await insertRows(tx, item, { organizer, event }, rows)
        return rows.map(({ id }) => id)
      })
    const before = await addItems(source, source.organizer, source.event, 900)
    const file = await exported(source.running.transactions.database, 'numbered')
    const target = await startTestServer()
    await imported(target.running.transactions.database, file)
    const later = await addItems(target, source.organizer, source.event, 200)
    assert.deepEqual(
      later.filter((id) => id <= Math.max(...before)),
      [],
    )
    await source.close()
    await target.close()
  })
})
