import type Router from '@koa/router'
import { nameIn, tidyName, whyNotFile } from '../../domain/text/uploads.ts'
import { invalid } from '../../errors.ts'
import { bytesOf } from '../../http/body.ts'
import type { Actor } from '../../resource/actor.ts'
import type { Api } from '../../resource/api.ts'
import { refuseMethod } from '../../resource/routes.ts'
import { storeUpload } from '../../services/input/uploads.ts'

/** Serves the upload of files, which are then named in the fields of other requests. */
export function serveUploads(router: Router, { admit, transactions }: Api): void {
  const path = '/api/v1/upload'
  router.post(path, admit('server', null), async (ctx) => {
    const actor: Actor = ctx.state.actor
    const name = nameIn(ctx.get('Content-Disposition'))
    const bytes = await bytesOf(ctx)
    if (name === null) throw invalid(['Name the file: Content-Disposition: attachment; filename="x.png"'])
    const reason = whyNotFile(ctx.request.type, name, bytes)
    if (reason !== null) throw invalid([reason])
    const file = { name: tidyName(name), type: ctx.request.type, bytes }
    ctx.status = 201
    ctx.body = { id: await transactions.write((tx) => storeUpload(tx, actor, file)) }
  })
  router.all(path, admit('server', null), (ctx) => refuseMethod(ctx))
}
