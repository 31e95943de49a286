import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { made, printed, proposed, runCli, temporaryFolders } from '../support/servers/cli.ts'

const folder = temporaryFolders('gatehouse events')

describe('event create', () => {
  it('makes an event that a guest list can be brought into at once', async () => {
    const at = ['--data', folder()]
    const list = join(at[1] ?? '', '..', 'guests.csv')
    await writeFile(list, 'Name;Ticket;Code\nAda;VIP;A-1\n')
    const early = await runCli([
      'event',
      'create',
      'gala',
      '--organizer',
      'acme',
      '--name',
      'G',
      '--starts',
      '2030-12-31',
      ...at,
    ])
    assert.equal(early.code, 1)
    assert.match(early.err, /organizer create acme/)
    await made(['organizer', 'create', 'acme', '--name', 'Acme', ...at])
    const none = await runCli(['import', 'csv', list, '--event', 'gala', ...at])
    assert.match(none.err, /event create gala/)
    const event = [
      'event',
      'create',
      'gala',
      '--organizer',
      'acme',
      '--name',
      'Gala',
      '--starts',
      '2030-12-31T19:30',
    ]
    await made(['organizer', 'create', 'other', '--name', 'Other', ...at])
    const done = await runCli([...event, '--product', 'VIP', ...at])
    assert.equal(printed(done).slug, 'gala')
    const next = proposed(done.err).map((word) => (word === 'FILE' ? list : word))
    const { guests, problems } = await made(next)
    assert.equal(guests, 1, JSON.stringify(problems))
  })
})
