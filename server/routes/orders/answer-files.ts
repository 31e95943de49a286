import type Router from '@koa/router'
import type { Context } from 'koa'
import sql from 'sql-template-tag'
import { notFound } from '../../errors.ts'
import type { Api } from '../../resource/api.ts'
import { idIn, refuseMethod } from '../../resource/routes.ts'
import { fileOf, type UploadedFile } from '../../services/input/uploads.ts'
import { imageKey } from '../../services/orders/pdf-data.ts'
import { answersOf, type PositionCells, selectPositions } from '../../services/orders/positions.ts'
import { eventAt } from '../events/event-at.ts'

/** Serves the files among the answers of positions, below their path. */
export function serveAnswerFiles(router: Router, { admit, transactions }: Api, single: string): void {
  const { database } = transactions
  const read = admit('event', 'can_view_orders')

  async function positionOf(ctx: Context): Promise<PositionCells> {
    const { place } = eventAt(ctx)
    const [cells] = await selectPositions(
      database,
      sql`p.organizer = ${place.organizer} AND p.event = ${place.event} AND p.id = ${idIn(ctx.params.id)}`,
      sql`p.id`,
    )
    if (!cells) throw notFound()
    return cells
  }

  /** The file that is a position's answer to a question; 404 where there is none. */
  async function fileFor(cells: PositionCells, question: number): Promise<UploadedFile> {
    const answer = answersOf(cells).find((one) => one.question === question)
    const file = answer && (await fileOf(database, cells.organizer, answer.answer))
    if (!file) throw notFound()
    return file
  }

  function send(ctx: Context, cells: PositionCells, { name, type, bytes }: UploadedFile): void {
    const { event } = eventAt(ctx)
    ctx.attachment(`${event.slug.toUpperCase()}-${cells.order_code}-${cells.positionid}-${name}`)
    ctx.type = type
    ctx.body = bytes
  }

  router.get(`${single}answer/:question/`, read, async (ctx) => {
    const cells = await positionOf(ctx)
    send(ctx, cells, await fileFor(cells, idIn(ctx.params.question)))
  })

  router.get(`${single}pdf_image/:key/`, read, async (ctx) => {
    const cells = await positionOf(ctx)
    const found = await database.all<{ id: number; identifier: string }>(
      sql`SELECT id, identifier FROM question WHERE organizer = ${cells.organizer} AND event = ${cells.event} AND type = 'F'`,
    )
    const question = found.find(({ identifier }) => imageKey(identifier) === ctx.params.key)
    if (!question) throw notFound()
    const file = await fileFor(cells, question.id)
    if (!file.type.startsWith('image/')) throw notFound()
    send(ctx, cells, file)
  })

  for (const below of ['answer/:question/', 'pdf_image/:key/'])
    router.all(single + below, admit('event', null), (ctx) => refuseMethod(ctx))
}
