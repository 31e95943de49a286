import assert from 'node:assert/strict'
import { quickest } from '../support/engines/engines.ts'
import { type HandEnv, makeHandEnv } from '../support/servers/hand-env.ts'
import { type MailServer, startMailServer } from '../support/servers/mail-server.ts'
import { addBearer, addPerson } from '../support/servers/persons.ts'
import { allRights } from '../support/servers/servers.ts'
import { type ShopServer, startShop } from '../support/ticketing/orders.ts'
import { unzip } from '../support/ticketing/unzip.ts'

const hour = 3_600_000

describe('a scheduled export, from its schedule to the mailbox', () => {
  let env: HandEnv
  let post: MailServer
  let server: ShopServer

  before(async () => {
    // A Saturday, 14:00 in Berlin.
    env = makeHandEnv(Date.UTC(2026, 0, 10, 13))
    post = await startMailServer()
    const mail = { route: { kind: 'smtp', address: post.address }, from: 'tickets@example.org' } as const
    server = await startShop(await quickest.open(), env, { mail })
    await server.running.transactions.write(async (tx) => {
      const boss = await addPerson(tx, 'boss', server.organizer, allRights)
      await addBearer(tx, 'boss', boss, ['read', 'write'], [server.organizer])
    })
  })
  after(async () => {
    await server.close()
    await post.close()
  })

  const ask = async (method: string, path: string, body?: unknown) => {
    const answer = await server.call(method, server.ev + path, body, { Authorization: 'Bearer boss' })
    return { status: answer.status, body: answer.body as { id: number; schedule_next_run: string | null } }
  }
  /** Lets a second pass with each look at the schedule, so that the server looks for work, until so many mails are there. */
  async function mailed(count: number) {
    while (post.received.length < count) {
      env.pass(1000)
      await ask('GET', '/scheduled_exports/')
    }
    return post.received.slice(-2)
  }

  it('is made when it is due, and comes with its file to the owner and the others', async () => {
    const order = await server.paidOrder({ email: 'anna@example.org', send_email: false })
    const made = await ask('POST', '/scheduled_exports/', {
      export_identifier: 'orderlist',
      export_form_data: { _format: 'xlsx', paid_only: false },
      locale: 'en',
      mail_additional_recipients: 'office@example.org',
      mail_subject: 'Orders of {event}',
      mail_template: 'Here they are.',
      schedule_rrule: 'DTSTART:20260105T000000\nRRULE:FREQ=WEEKLY;BYDAY=MO',
      schedule_rrule_time: '04:00',
    })
    assert.equal(made.status, 201)
    assert.equal(made.body.schedule_next_run, '2026-01-12T03:00:00Z')
    env.pass(37 * hour)
    const early = await ask('GET', `/scheduled_exports/${made.body.id}/`)
    assert.deepEqual([early.body.schedule_next_run, post.received.length], ['2026-01-12T03:00:00Z', 0])
    env.pass(hour)
    const mails = await mailed(2)
    assert.deepEqual(mails.flatMap((mail) => mail.recipients).toSorted(), [
      'boss@example.org',
      'office@example.org',
    ])
    for (const { subject, text, from, attachments } of mails) {
      assert.deepEqual([subject, from?.address], ['Orders of gala', 'tickets@example.org'])
      assert.match(text ?? '', /Here they are\./)
      const [file, ...others] = attachments
      assert.deepEqual([file?.filename, others.length], ['gala_orderlist.xlsx', 0])
      const sheets = Object.values(unzip(Buffer.from(file?.content as ArrayBuffer))).join('\n')
      assert.ok(sheets.includes(order.code) && sheets.includes('anna@example.org'))
    }
    const { body } = await ask('GET', `/scheduled_exports/${made.body.id}/`)
    assert.equal(body.schedule_next_run, '2026-01-19T03:00:00Z')
  })

  it('is made again the next time, with what was sold since', async () => {
    const { code } = await server.paidOrder({ send_email: false })
    env.pass(7 * 24 * hour)
    for (const { attachments } of await mailed(4)) {
      const content = attachments[0]?.content as ArrayBuffer
      assert.ok(
        Object.values(unzip(Buffer.from(content)))
          .join('\n')
          .includes(code),
      )
    }
    assert.equal(post.received.length, 4)
  })
})
