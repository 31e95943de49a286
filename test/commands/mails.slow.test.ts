import assert from 'node:assert/strict'
import sql from 'sql-template-tag'
import { openData, openDatabase } from '../../server/data.ts'
import { realEnv } from '../../server/env.ts'
import { queueMail } from '../../server/services/notifications/mail-queue.ts'
import { made, runCli, temporaryFolders } from '../support/servers/cli.ts'

const folder = temporaryFolders('gatehouse mails')

describe('mail commands', () => {
  it('show what was not sent, and have it tried again', async () => {
    const data = folder()
    const database = await openDatabase(data)
    const transactions = await openData(database, realEnv)
    const write = (to: string) =>
      transactions.write((tx) =>
        queueMail(
          tx,
          { organizer: 0, event: 0 },
          { to, template: 'password_reset', locale: 'en', values: {} },
        ),
      )
    for (const to of ['a@example.org', 'b@example.org', 'no address']) await write(to)
    await database.run(
      sql`UPDATE mail SET "state" = 'given up', "attempts" = 11, "trouble" = 'Nobody there.' WHERE "recipient" LIKE 'a@%'`,
    )
    await database.run(sql`UPDATE mail SET "state" = 'sent' WHERE "recipient" LIKE 'b@%'`)
    const listed = await runCli(['mail', 'list', '--data', data])
    assert.match(
      listed.err,
      /given up after 11 attempts {2}password_reset to a@example\.org {2}Nobody there\./,
    )
    assert.match(listed.err, /refused after 0 attempts .* This is not an address\./)
    assert.equal(JSON.parse(listed.out).count, 2)
    assert.deepEqual(await made(['mail', 'retry', '--data', data]), { retried: 1 })
    const states = await database.all(sql`SELECT "state", "attempts" FROM mail ORDER BY id`)
    assert.deepEqual(states, [
      { state: 'waiting', attempts: 0 },
      { state: 'sent', attempts: 0 },
      { state: 'refused', attempts: 0 },
    ])
    await transactions.release()
    await database.close()
  })
})
