import { upload } from '../../../schema/actions/uploads.ts'
import { nameIn, tidyName, whyNotFile } from '../../domain/text/uploads.ts'
import { invalid } from '../../errors.ts'
import { type ApiRouter, serveRaw, wantedOf } from '../../resource/endpoints.ts'
import { storeUpload } from '../../services/input/uploads.ts'

/** Serves the upload of files, which are then named in the fields of other requests. */
export function serveUploads(router: ApiRouter): void {
  const { bodies } = router.api
  serveRaw(router, upload, async (request, ctx) => {
    const name = nameIn(ctx.get('Content-Disposition'))
    const bytes = await bodies.bytes(ctx, wantedOf(router, upload))
    if (name === null) throw invalid(['Name the file: Content-Disposition: attachment; filename="x.png"'])
    const reason = whyNotFile(ctx.request.type, name, bytes)
    if (reason !== null) throw invalid([reason])
    const file = { name: tidyName(name), type: ctx.request.type, bytes }
    return request.carryOut(
      (tx) => storeUpload(tx, request.actor, file),
      (id) => ({ id }),
    )
  })
}
