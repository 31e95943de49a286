import assert from 'node:assert/strict'
import sql from 'sql-template-tag'
import type { RowData } from '../../../server/resource/codec.ts'
import { engines } from '../../support/engines/engines.ts'
import { addEvent, addToken, allRights } from '../../support/servers/servers.ts'
import { addDevice, addGate, addItem, addList, addOrder } from '../../support/ticketing/tickets.ts'
import { bodyOf, clockAt, type Door, openDoor } from './checkin-door.ts'

interface Shown extends RowData {
  readonly id: number
  readonly kind: string
}

for (const engine of engines)
  describe(`conflicts, on ${engine.name}`, () => {
    let door: Door
    let path: string
    const device = (token: string) => ({ Authorization: `Device ${token}` })
    before(async () => {
      door = await openDoor(await engine.open(), clockAt('2030-06-01T18:00:00Z'))
      path = `${door.server.org}/conflicts/`
      await door.write(async (tx) => {
        const { organizer } = door.place
        const gate = await addGate(tx, organizer, 'North gate')
        await addDevice(tx, organizer, 1, 'north', { gate })
        await addDevice(tx, organizer, 2, 'south')
        const fete = { organizer, event: await addEvent(tx, organizer, 'fete') }
        const item = await addItem(tx, fete, 'Ticket')
        await addList(tx, fete, 'Fete list')
        await addOrder(tx, fete, [{ item, secret: 'fete ticket' }], { code: 'FETE1' })
        await addToken(tx, organizer, 'fete-only', {
          ...allRights,
          all_events: false,
          limit_events: ['fete'],
        })
        await addToken(tx, organizer, 'no-event', { ...allRights, all_events: false, limit_events: [] })
      })
      for (const [secret, name] of [
        ['first', '=cmd()'],
        ['second', 'Grace'],
      ] as const) {
        await door.sell(secret, { attendee_name: name }, { code: secret.toUpperCase() })
        await enter(secret, 'north', '2030-06-01T10:00:00Z')
        await enter(secret, 'south', '2030-06-01T10:05:00Z')
      }
      const list = await door.database.get<{ id: number }>(
        sql`SELECT id FROM checkin_list WHERE name = 'Fete list'`,
      )
      for (const time of ['2030-06-01T11:00:00Z', '2030-06-01T11:05:00Z'])
        await enter('fete ticket', 'north', time, [list?.id ?? 0])
    })
    after(() => door.server.close())

    const enter = (secret: string, token: string, datetime: string, lists = [door.list]) =>
      door.redeem(secret, { force: true, nonce: `${secret} ${datetime}`, datetime, lists }, device(token))
    const list = async (query = '', headers = {}) => {
      const answer = await door.server.call('GET', path + query, undefined, headers)
      assert.equal(answer.status, 200)
      return bodyOf(answer) as { count: number; next: string | null; results: Shown[] }
    }
    const orders = (results: readonly Shown[]) => results.map(({ order }) => order).sort()

    it('are shown with the ticket, the devices and gates by name, and both times', async () => {
      const { count, results } = await list('?event=gala&ordering=id')
      assert.equal(count, 2)
      const one = results.find(({ order }) => order === 'SECOND')
      assert.deepEqual(
        [
          one?.kind,
          one?.severity,
          one?.state,
          one?.event,
          one?.positionid,
          one?.attendee_name,
          one?.list_name,
        ],
        ['double_entry', 'info', 'open', 'gala', 1, 'Grace', 'Main'],
      )
      assert.deepEqual(
        [
          one?.device_name,
          one?.gate_name,
          one?.datetime,
          one?.other_device_name,
          one?.other_gate_name,
          one?.other_datetime,
        ],
        ['south', null, '2030-06-01T10:05:00Z', 'north', 'North gate', '2030-06-01T10:00:00Z'],
      )
    })

    it('are shown one by one as in the list', async () => {
      const { results } = await list()
      for (const one of results)
        assert.deepEqual((await door.server.call('GET', `${path}${one.id}/`)).body, one)
    })

    it('are those of the events that the caller may enter', async () => {
      const headers = { Authorization: 'Token fete-only' }
      const { results } = await list('', headers)
      assert.deepEqual(orders(results), ['FETE1'])
      assert.equal((await list('', { Authorization: 'Token no-event' })).count, 0)
      const [hidden] = (await list('?event=gala')).results
      for (const method of ['GET', 'PATCH'])
        assert.equal(
          (
            await door.server.call(
              method,
              `${path}${hidden?.id}/`,
              method === 'GET' ? undefined : {},
              headers,
            )
          ).status,
          404,
        )
    })

    it('are filtered by what they say', async () => {
      assert.equal((await list()).count, 3)
      for (const [query, count] of [
        ['?state=open', 3],
        ['?state=resolved', 0],
        ['?kind=double_entry', 3],
        ['?kind=double_entry,id_taken', 3],
        ['?kind=id_taken', 0],
        ['?severity=info', 3],
        ['?severity=critical', 0],
        ['?event=fete', 1],
        ['?event=nothing', 0],
        [`?list=${door.list}`, 2],
        ['?since=2020-01-01T00:00:00Z', 3],
        ['?since=2099-01-01T00:00:00Z', 0],
      ] as const)
        assert.equal((await list(query)).count, count, query)
      for (const query of ['?list=x', '?since=soon'])
        assert.equal((await door.server.call('GET', path + query)).status, 400, query)
    })

    it('come in pages and in the order that is asked for', async () => {
      const first = await list('?page_size=2&ordering=datetime')
      assert.equal(first.results.length, 2)
      assert.ok(first.next?.includes('page=2'))
      const second = await list('?page_size=2&ordering=datetime&page=2')
      assert.deepEqual(orders(second.results), ['FETE1'])
      const reverse = await list('?ordering=-datetime')
      assert.equal(reverse.results[0]?.order, 'FETE1')
    })

    it('are settled with a note by somebody, and may be opened again', async () => {
      const [one] = (await list('?event=fete')).results
      const patch = (body: unknown) => door.server.call('PATCH', `${path}${one?.id}/`, body)
      const settled = bodyOf(await patch({ state: 'resolved', note: 'twins' }))
      assert.deepEqual([settled.state, settled.note, settled.resolved_by], ['resolved', 'twins', 'all'])
      assert.equal(typeof settled.resolved, 'string')
      assert.equal((await list('?state=resolved')).count, 1)
      const noted = bodyOf(await patch({ note: 'two people' }))
      assert.deepEqual(
        [noted.state, noted.note, noted.resolved],
        ['resolved', 'two people', settled.resolved],
      )
      const opened = bodyOf(await patch({ state: 'open' }))
      assert.deepEqual([opened.state, opened.resolved, opened.resolved_by], ['open', null, null])
      const audited = await door.database.all(
        sql`SELECT id FROM audit WHERE action = 'ticketsvc.event.conflict.changed'`,
      )
      assert.equal(audited.length, 3)
    })

    it('keep what nobody may change', async () => {
      const [one] = (await list('?event=fete')).results
      const answer = await door.server.call('PATCH', `${path}${one?.id}/`, {
        kind: 'id_taken',
        severity: 'critical',
      })
      assert.deepEqual([bodyOf(answer).kind, bodyOf(answer).severity], ['double_entry', 'info'])
    })

    it('refuse what makes no sense', async () => {
      const [one] = (await list('?event=fete')).results
      for (const body of [{ state: 'forgotten' }, { note: 7 }, []])
        assert.equal((await door.server.call('PATCH', `${path}${one?.id}/`, body)).status, 400)
      assert.equal((await door.server.call('DELETE', `${path}${one?.id}/`)).status, 405)
      assert.equal((await door.server.call('POST', path, {})).status, 405)
      assert.equal((await door.server.call('GET', `${path}nothing/`)).status, 404)
    })

    it('are to be had as a table that no spreadsheet carries out', async () => {
      const answer = await door.server.call('GET', `${path}?format=csv&event=gala&ordering=id`)
      assert.match(String(answer.headers.get('content-type')), /^text\/csv/)
      assert.match(String(answer.headers.get('content-disposition')), /conflicts\.csv/)
      const [titles, ...rows] = String(answer.body).trim().split('\r\n')
      assert.equal(rows.length, 2)
      assert.ok(titles?.startsWith('id,kind,severity,state'))
      assert.ok(String(answer.body).includes(",'=cmd(),"))
    })

    it('go when the second check-in is undone', async () => {
      await door.sell('third', {}, { code: 'THIRD' })
      await enter('third', 'north', '2030-06-01T10:00:00Z')
      await enter('third', 'south', '2030-06-01T10:05:00Z')
      assert.ok(orders((await list()).results).includes('THIRD'))
      const body = {
        nonce: 'third 2030-06-01T10:05:00Z',
        lists: [door.list],
        datetime: '2030-06-01T10:06:00Z',
      }
      const undone = await door.server.call(
        'POST',
        `${door.server.org}/checkinrpc/annul/`,
        body,
        device('south'),
      )
      assert.equal(undone.status, 200)
      assert.ok(!orders((await list()).results).includes('THIRD'))
    })
  })
