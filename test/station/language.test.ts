import assert from 'node:assert/strict'
import sql from 'sql-template-tag'
import { type Desk, openDesk } from './desk.ts'

describe('the language of a station', () => {
  let desk: Desk
  beforeEach(async () => {
    desk = await openDesk()
  })
  afterEach(() => desk.close())

  it('is the one in which it says why a rule lets nobody in', async () => {
    await desk.sell('never')
    const rules = JSON.stringify({ '<': [{ var: 'entries_number' }, 0] })
    await desk.transactions.write((tx) =>
      tx.run(sql`UPDATE checkin_list SET rules = ${rules} WHERE id = ${desk.list}`),
    )
    const said = async (locale: string) => {
      await desk.setUp({ locale })
      return (await desk.scan('never', { source: 'hand' })).body.reason_explanation
    }
    assert.deepEqual(
      [await said('en'), await said('de')],
      ['Maximum number of entries exceeded', 'Maximale Anzahl der Eintritte überschritten'],
    )
  })
})
