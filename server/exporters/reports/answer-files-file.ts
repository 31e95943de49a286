import sql from 'sql-template-tag'
import type { StoredAnswer } from '../../../schema/resources/orders/order-position.ts'
import { fileOf } from '../../services/input/uploads.ts'
import type { Cells } from '../../storage/database.ts'
import { wordsOf } from '../format/event-catalogue.ts'
import { NothingToExport, type Run } from '../format/exporter.ts'
import { type ZipEntry, zipFile } from '../format/zip-file.ts'
import { positionsOf } from './order-list-positions.ts'
import { wishedOrders } from './order-words.ts'

/** Files are read one by one; of what says where they are, so much is held at once. */
const answersPerPage = 100

/** Packs the files that are answers to the questions wished for, or to all, each named by its ticket and question. */
export async function* answerFilesFile(run: Run): AsyncGenerator<Uint8Array> {
  const entries = entriesOf(run)
  const first = await entries.next()
  if (first.done) throw new NothingToExport('Nobody has answered with a file.')
  yield* zipFile(
    (async function* () {
      yield first.value
      yield* entries
    })(),
  )
}

async function* entriesOf(run: Run): AsyncGenerator<ZipEntry, void> {
  const [event] = run.events
  if (!event) return
  const asked = run.wishes.questions as readonly number[]
  const { questions } = await wordsOf(run.db, run.organizer.id, event)
  const wished = new Map(
    questions
      .filter(({ id, type }) => type === 'F' && (asked.length === 0 || asked.includes(id)))
      .map(({ id, identifier }) => [id, identifier]),
  )
  const from = sql`${positionsOf(wishedOrders(run, event))} AND p.canceled = 0 AND p.answers LIKE ${'%"file:%'}`
  const counted = await run.db.get<{ count: number }>(sql`SELECT count(*) AS count FROM ${from}`)
  run.expect(counted?.count ?? 0)
  const statement = sql`SELECT o.code, p.positionid, p.answers FROM ${from} ORDER BY o.datetime, o.id, p.positionid`
  for await (const page of run.db.pages<Cells>(statement, answersPerPage))
    for (const cells of page) {
      for (const { question, answer } of JSON.parse(String(cells.answers)) as StoredAnswer[]) {
        const identifier = wished.get(question)
        const file = identifier === undefined ? undefined : await fileOf(run.db, run.organizer.id, answer)
        if (!file) continue
        const name = `${event.slug.toUpperCase()}-${cells.code}-${cells.positionid}-${identifier}`
        const ending = file.name.slice(file.name.lastIndexOf('.') + 1).toLowerCase()
        yield { path: `${name}.${ending}`, content: [file.bytes] }
      }
      run.advance(1)
    }
}
