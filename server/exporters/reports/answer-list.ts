import sql from 'sql-template-tag'
import type { StoredAnswer } from '../../../schema/resources/orders/order-position.ts'
import type { Cells } from '../../storage/database.ts'
import { wordsOfAll } from '../format/event-catalogue.ts'
import { listed } from '../format/event-pages.ts'
import type { Exporter, Run } from '../format/exporter.ts'
import { type Sheet, textColumn, wholeColumn } from '../format/table.ts'
import { answerText } from './answer-columns.ts'
import { positionsOf } from './order-list-positions.ts'
import { stateOf, wishedOrders } from './order-words.ts'

async function answerSheet(run: Run): Promise<Sheet> {
  const words = await wordsOfAll(run.db, run.organizer.id, run.events)
  const asked = (run.wishes.questions ?? []) as readonly number[]
  return listed<Cells>(
    run,
    words,
    {
      title: 'Answers',
      columns: [
        ...['Event', 'Order code'].map(textColumn),
        wholeColumn('Position'),
        ...['Status', 'Attendee name', 'Product', 'Variation', 'Question ID', 'Question', 'Answer'].map(
          textColumn,
        ),
      ],
    },
    {
      listing: (event) => ({
        columns: sql`o.code, o.status, p.positionid, p.canceled, p.item, p.variation, p.attendee_name, p.answers,
        parent.attendee_name AS parent_name`,
        from: sql`${positionsOf(wishedOrders(run, event))} AND p.answers <> '[]'`,
        order: sql`o.datetime, o.id, p.positionid`,
      }),
      rowsOf: (page, { event, items, variations, questions }) =>
        page.flatMap((cells) =>
          (JSON.parse(String(cells.answers)) as StoredAnswer[]).flatMap((answer) => {
            const question = questions.find(({ id }) => id === answer.question)
            if (!question || (asked.length > 0 && !asked.includes(question.id))) return []
            return [
              [
                event.slug,
                cells.code ?? null,
                cells.positionid ?? null,
                stateOf(cells.status, cells.canceled === 1),
                cells.attendee_name || cells.parent_name || null,
                items.get(cells.item) ?? null,
                variations.get(cells.variation) ?? null,
                question.identifier,
                question.question,
                answerText(question, answer),
              ],
            ]
          }),
        ),
    },
  )
}

/** Every answer to a question, one row for each. */
export const answerList: Exporter = {
  identifier: 'answerlist',
  name: 'Answers to questions',
  levels: ['event', 'organizer'],
  needs: null,
  parameters: [
    { name: 'paid_only', kind: 'flag' },
    { name: 'questions', kind: 'rows', table: 'question' },
    { name: 'date_from', kind: 'day' },
    { name: 'date_to', kind: 'day' },
  ],
  output: { kind: 'tables', sheets: [{ name: 'answers', open: answerSheet }] },
}
