import assert from 'node:assert/strict'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { scheduler } from 'node:timers/promises'
import { amount } from '../support/mocha/amount.ts'
import { printed, runCli, startCli, temporaryFolders } from '../support/servers/cli.ts'
import { importedInto, makeGuestFolder, rowsImported } from '../support/ticketing/guest-folder.ts'
import { messyGuestList } from '../support/ticketing/messy-guest-list.ts'

const folder = temporaryFolders('gatehouse interrupted')

/** Rows of a list that takes long enough to be cut off in its middle. */
const many = amount(30_000, 6000)

function listOf(seed: number, rows: number) {
  const list = messyGuestList(seed, rows)
  const file = join(folder(), 'list.csv')
  writeFileSync(file, list.bytes)
  const guests = list.guests.length
  const tickets = list.guests.reduce((sum, { quantity }) => sum + quantity, 0)
  return {
    file,
    guests,
    tickets,
    whole: { keys: guests, orders: guests, tickets, searched: tickets, broken: 0 },
  }
}

describe('an import that is cut off', function () {
  this.timeout(180_000 + many * 5)

  it('has brought whole rows only, and is completed by running it again', async () => {
    const data = folder()
    await makeGuestFolder(data)
    const { file, guests, whole } = listOf(21, many)
    const child = startCli(['import', 'csv', file, '--data', data, '--json'])
    const gone = once(child, 'exit')
    while (rowsImported(data) < many / 10) await scheduler.wait(20)
    child.kill('SIGKILL')
    await gone
    const cut = importedInto(data)
    assert.ok(cut.keys >= many / 10 && cut.keys < guests, `${cut.keys} of ${guests}`)
    assert.deepEqual([cut.orders, cut.searched, cut.broken], [cut.keys, cut.tickets, 0])
    const again = printed(await runCli(['import', 'csv', file, '--data', data]))
    assert.deepEqual([again.guests, again.unchanged], [guests - cut.keys, cut.keys])
    assert.deepEqual(importedInto(data), whole)
  })

  it('shares the work with another import of the same list at the same time', async () => {
    const data = folder()
    await makeGuestFolder(data)
    const { file, guests, tickets, whole } = listOf(22, 1500)
    const run = async () => printed(await runCli(['import', 'csv', file, '--data', data]))
    const reports = await Promise.all([run(), run()])
    const sum = (field: string): number => reports.reduce((total, report) => total + Number(report[field]), 0)
    assert.deepEqual([sum('guests'), sum('tickets'), sum('unchanged')], [guests, tickets, guests])
    assert.deepEqual(importedInto(data), whole)
  })
})
