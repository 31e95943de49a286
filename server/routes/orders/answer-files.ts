import type { Context } from 'koa'
import sql from 'sql-template-tag'
import { orderPositionAnswer, orderPositionPicture } from '../../../schema/actions/order-positions.ts'
import type { StoredAnswer } from '../../../schema/resources/orders/order-position.ts'
import { notFound } from '../../errors.ts'
import type { EventFacts } from '../../resource/api.ts'
import { type ApiRouter, serveRaw } from '../../resource/endpoints.ts'
import { idIn } from '../../resource/routes.ts'
import type { Place } from '../../resource/transactions.ts'
import { fileOf, type UploadedFile } from '../../services/input/uploads.ts'
import { answersByQuestion, imageKey } from '../../services/orders/pdf-data.ts'
import type { PositionCells } from '../../services/orders/position-rows.ts'
import { answersOf, selectPositions } from '../../services/orders/positions.ts'
import type { Queryable } from '../../storage/database.ts'

/** Serves the files among the answers of positions. */
export function serveAnswerFiles(router: ApiRouter): void {
  const { database } = router.api.transactions

  serveRaw(router, orderPositionAnswer, async ({ place, event, params }, ctx) => {
    const cells = await positionOf(database, place, idIn(params.id))
    return sent(
      ctx,
      event,
      cells,
      await fileFor(database, cells.organizer, answersOf(cells), idIn(params.question)),
    )
  })

  serveRaw(router, orderPositionPicture, async ({ place, event, params }, ctx) => {
    const cells = await positionOf(database, place, idIn(params.id))
    const found = await database.all<{ id: number; identifier: string }>(
      sql`SELECT id, identifier FROM question WHERE organizer = ${cells.organizer} AND event = ${cells.event} AND type = 'F'`,
    )
    const question = found.find(({ identifier }) => imageKey(identifier) === params.key)
    if (!question) throw notFound()
    const file = await fileFor(database, cells.organizer, [...answersByQuestion(cells).values()], question.id)
    if (!file.type.startsWith('image/')) throw notFound()
    return sent(ctx, event, cells, file)
  })
}

async function positionOf(db: Queryable, place: Place, id: number): Promise<PositionCells> {
  const [cells] = await selectPositions(
    db,
    sql`p.organizer = ${place.organizer} AND p.event = ${place.event} AND p.id = ${id}`,
    sql`p.id`,
  )
  if (!cells) throw notFound()
  return cells
}

/** The file that is the answer to a question; 404 where there is none. */
async function fileFor(
  db: Queryable,
  organizer: number,
  answers: readonly StoredAnswer[],
  question: number,
): Promise<UploadedFile> {
  const answer = answers.find((one) => one.question === question)
  const file = answer && (await fileOf(db, organizer, answer.answer))
  if (!file) throw notFound()
  return file
}

function sent(ctx: Context, event: EventFacts, cells: PositionCells, file: UploadedFile): Uint8Array {
  ctx.attachment(`${event.slug.toUpperCase()}-${cells.order_code}-${cells.positionid}-${file.name}`)
  ctx.type = file.type
  return file.bytes
}
