/**
 * Scans tickets as a station does, and writes the code of each to a file of its own once it is admitted for good.
 * Arguments: data folder, file for what was acknowledged, check-in list, tickets, and the level of `synchronous`.
 */
import { openSync, writeSync } from 'node:fs'
import Sqlite from 'better-sqlite3'
import { openData, openDatabase } from '../../../server/data.ts'
import { realEnv } from '../../../server/env.ts'
import type { Actor } from '../../../server/resource/actor.ts'
import { listsById } from '../../../server/services/checkin/checkin-lists.ts'
import { redeem } from '../../../server/services/checkin/redeem.ts'
import { plainScan } from '../../support/ticketing/scans.ts'

const [folder = '', acknowledged = '', list = '', tickets = '', level = ''] = process.argv.slice(2)
const atOnce = 4

if (level === 'NORMAL') {
  // What the same program would be without the pragma that it insists on.
  const { pragma } = Sqlite.prototype
  Sqlite.prototype.pragma = function weaker(this: Sqlite.Database, text: string, options) {
    const value = pragma.call(this, text.replace('synchronous = FULL', 'synchronous = NORMAL'), options)
    return text === 'synchronous' ? 2 : value
  }
}

const database = await openDatabase(folder)
const transactions = await openData(database, realEnv)
const organizer = 1
const actor: Actor = {
  kind: 'station',
  id: 1,
  name: 'Gate',
  organizer,
  permissions: new Set(),
  allEvents: true,
  events: new Set(),
  device: null,
}
const out = openSync(acknowledged, 'a')
let next = 0

async function scanOn(): Promise<void> {
  while (next < Number(tickets)) {
    const code = `cut-${next}`
    next += 1
    const { status } = await transactions.write(async (tx) => {
      const [first] = await listsById(tx, organizer, [Number(list)])
      if (!first) throw new Error('The list is gone.')
      return redeem(tx, {
        actor,
        organizer,
        lists: [first],
        input: { ...plainScan, code, nonce: code },
      })
    })
    if (status !== 'ok') throw new Error(`${code} was refused.`)
    writeSync(out, `${code}\n`)
  }
}

await Promise.all(Array.from({ length: atOnce }, scanOn))
