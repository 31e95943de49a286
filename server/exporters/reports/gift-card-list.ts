import sql, { empty, type Sql } from 'sql-template-tag'
import type { Cells } from '../../storage/database.ts'
import { nextDay } from '../format/days.ts'
import { pageSize } from '../format/event-pages.ts'
import type { Exporter, Run } from '../format/exporter.ts'
import { localClock } from '../format/local-clock.ts'
import { flagColumn, momentColumn, moneyColumn, type Sheet, textColumn } from '../format/table.ts'

/** Cards belong to no event, so that their times are those of the world. */
const timezone = 'UTC'

const testmodes: Readonly<Record<string, Sql>> = {
  '': empty,
  yes: sql` AND c.testmode = 1`,
  no: sql` AND c.testmode = 0`,
}

/** Which cards are meant, by what they are worth (`c.worth`) and until when, at a moment. */
const states: Readonly<Record<string, (at: string) => Sql>> = {
  '': () => empty,
  empty: () => sql` AND c.worth = 0`,
  valid_value: (at) => sql` AND c.worth <> 0 AND (c.expires IS NULL OR c.expires >= ${at})`,
  expired_value: (at) => sql` AND c.worth <> 0 AND c.expires < ${at}`,
  expired: (at) => sql` AND c.expires < ${at}`,
}

async function cardSheet(run: Run): Promise<Sheet> {
  const wished = String(run.wishes.date)
  // A day is meant to its end.
  const at = wished.length === 10 ? nextDay(wished, 1, timezone) : wished
  const clock = localClock(timezone)
  const from = sql`(SELECT g.id, g.secret, g.currency, g.testmode, g.expires, g.conditions,
      (SELECT COALESCE(sum(t.value), 0) FROM gift_card_transaction t
        WHERE t.organizer = g.organizer AND t.gift_card = g.id AND t.datetime < ${at}) AS worth,
      (SELECT min(t.datetime) FROM gift_card_transaction t
        WHERE t.organizer = g.organizer AND t.gift_card = g.id) AS created
      FROM gift_card g WHERE g.organizer = ${run.organizer.id}) c
    WHERE (c.created IS NULL OR c.created < ${at})${testmodes[String(run.wishes.testmode)] ?? empty}${
      states[String(run.wishes.state)]?.(at) ?? empty
    }`
  const counted = await run.db.get<{ count: number }>(sql`SELECT count(*) AS count FROM ${from}`)
  return {
    title: 'Gift cards',
    columns: [
      textColumn('Gift card'),
      flagColumn('Test mode'),
      momentColumn('Created (UTC)'),
      momentColumn('Expires (UTC)'),
      textColumn('Special terms'),
      textColumn('Currency'),
      moneyColumn('Value'),
    ],
    total: counted?.count ?? 0,
    async *pages() {
      for await (const page of run.db.pages<Cells>(sql`SELECT * FROM ${from} ORDER BY c.id`, pageSize))
        yield page.map((cells) => [
          cells.secret ?? null,
          cells.testmode === 1,
          clock(cells.created),
          clock(cells.expires),
          cells.conditions ?? null,
          cells.currency ?? null,
          Number(cells.worth),
        ])
    },
  }
}

/** What the gift cards of an organizer are worth at a moment. */
export const giftCardList: Exporter = {
  identifier: 'giftcardlist',
  name: 'Gift cards',
  levels: ['organizer'],
  needs: 'can_manage_gift_cards',
  withoutEvents: true,
  parameters: [
    { name: 'date', kind: 'day', moment: true, required: true },
    { name: 'testmode', kind: 'word', words: Object.keys(testmodes) },
    { name: 'state', kind: 'word', words: Object.keys(states) },
  ],
  output: { kind: 'tables', sheets: [{ name: 'giftcards', open: cardSheet }] },
}
