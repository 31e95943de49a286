import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import sql from 'sql-template-tag'
import { openData, openDatabase } from '../../server/data.ts'
import { realEnv } from '../../server/env.ts'
import { sealAudit } from '../../server/services/operations/audit-seals.ts'
import { made, printed, refused, runCli, temporaryFolders } from '../support/servers/cli.ts'

const folder = temporaryFolders('gatehouse verify')

describe('verify', () => {
  it('says that the audit trail is as it was, and else names the first entry that is not', async () => {
    const data = join(folder(), 'data')
    await made(['organizer', 'create', 'acme', '--name', 'Acme', '--data', data])
    await made(['team', 'create', '--organizer', 'acme', '--name', 'All', '--all-events', '--data', data])
    const database = await openDatabase(data)
    const transactions = await openData(database, realEnv)
    const heads = await sealAudit(transactions)
    const [head] = heads
    assert.ok(head)
    const [entry] = await database.all<{ id: number }>(
      sql`SELECT id FROM audit WHERE organizer = ${head.organizer} ORDER BY id`,
    )
    await transactions.release()
    const named = `${head.organizer}:${head.number}:${head.hash}`
    const good = await made(['verify', '--data', data, '--head', named, '--json'])
    assert.deepEqual([good.intact, good.problems, good.heads], [true, [], heads])
    await database.run(sql`UPDATE audit SET actor = 4711 WHERE id = ${entry?.id ?? 0}`)
    await database.close()
    const bad = await runCli(['verify', '--data', data])
    assert.equal(bad.code, 1)
    assert.match(
      bad.err,
      new RegExp(`not as it was sealed\\. First: organizer ${head.organizer}: entry ${entry?.id} changed`),
    )
    assert.equal(printed(bad).intact, false)
    await refused(['verify', '--data', data, '--head', 'nonsense'], /organizer:number:hash/)
    const typo = join(folder(), 'typo')
    await refused(['verify', '--data', typo], /There is no database in .*typo/)
    assert.equal(existsSync(typo), false)
  })
})
