import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { made, runCli, temporaryFolders } from '../support/cli.ts'

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
    const { slug } = await made([...event, '--product', 'VIP', ...at])
    assert.equal(slug, 'gala')
    const { guests, problems } = await made(['import', 'csv', list, '--event', 'gala', ...at])
    assert.equal(guests, 1, JSON.stringify(problems))
  })
})
