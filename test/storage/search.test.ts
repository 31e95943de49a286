import assert from 'node:assert/strict'
import sql from 'sql-template-tag'
import { openData } from '../../server/data.ts'
import { realEnv } from '../../server/env.ts'
import { prepareSearch } from '../../server/storage/search.ts'
import { bothEngines } from '../support/engines/engines.ts'
import { addEvent, addOrganizer } from '../support/servers/servers.ts'
import { addItem, addOrder } from '../support/ticketing/tickets.ts'

for (const engine of bothEngines)
  describe(`the index of searches, on ${engine.name}`, () => {
    it('is made anew where one of another shape stands, with everybody in it', async () => {
      const database = await engine.open()
      const { write } = await openData(database, realEnv)
      await write(async (tx) => {
        const organizer = await addOrganizer(tx, 'acme')
        const place = { organizer, event: await addEvent(tx, organizer, 'gala') }
        const item = await addItem(tx, place, 'Ticket')
        await addOrder(tx, place, [{ item, secret: 'a', attendee_name: 'Ann Archer' }], { comment: 'Guest' })
      })
      assert.equal(await prepareSearch(database), false)
      await database.script('DROP TABLE position_search;\n')
      await database.script(
        engine.name.startsWith('SQLite')
          ? "CREATE VIRTUAL TABLE position_search USING fts5(body, note, tokenize = 'trigram');\n"
          : 'CREATE TABLE position_search (organizer BIGINT, position_id BIGINT, body TEXT, note TEXT);\n',
      )
      // The program ends before anybody was put into the new one.
      assert.equal(await prepareSearch(database), true)
      await openData(database, realEnv)
      assert.equal(await prepareSearch(database), false)
      const rows = await database.all<{ names: string; body: string; note: string }>(
        sql`SELECT names, body, note FROM position_search`,
      )
      assert.deepEqual(
        rows.map(({ names, body, note }) => [names, body.split('\n')[0], note]),
        [['\n ann archer \n', 'ann archer', 'guest']],
      )
      await database.close()
    })
  })
