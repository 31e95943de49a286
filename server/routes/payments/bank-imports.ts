import sql from 'sql-template-tag'
import {
  bankImportCreate,
  bankImportList,
  bankImportRetrieve,
  bankImportStates,
} from '../../../schema/actions/operations/bank-imports.ts'
import { invalid, notFound } from '../../errors.ts'
import type { BankImportRunner } from '../../jobs/bank-imports.ts'
import { type ApiRouter, serveRaw, serveRead } from '../../resource/endpoints.ts'
import { single } from '../../resource/query.ts'
import { idIn } from '../../resource/routes.ts'
import { readBankImport } from '../../services/bank-imports/bank-import-input.ts'
import {
  addBankImport,
  presentBankImports,
  visibleBankImports,
} from '../../services/bank-imports/bank-imports.ts'

/** Serves imports of bank statements; `runner` carries them out, and is missing where only the routes are looked at. */
export function serveBankImports(router: ApiRouter, runner?: BankImportRunner): void {
  const { database } = router.api.transactions
  serveRead(router, bankImportList, async (request, db) => {
    const { query, organizer, page } = request
    const state = single(query, 'state')
    if (state && !bankImportStates.some((one) => one === state))
      throw invalid({ state: [`${state.slice(0, 100)} is not a valid choice.`] })
    const slug = single(query, 'event')
    const rows = await visibleBankImports(
      db,
      request,
      sql`${state ? sql` AND state = ${state}` : sql``}${
        slug
          ? sql` AND event IN (SELECT id FROM event WHERE organizer = ${organizer.id} AND slug = ${slug})`
          : sql``
      }`,
    )
    const shown = rows.slice(page.offset, page.offset + page.size)
    return request.pageOf(rows.length, await presentBankImports(db, organizer.id, shown))
  })
  serveRead(router, bankImportRetrieve, async (request, db) => {
    const id = idIn(request.params.id)
    const rows = await visibleBankImports(db, request, sql` AND id = ${id}`)
    const [shown] = await presentBankImports(db, request.organizer.id, rows)
    if (!shown) throw notFound()
    return shown
  })
  serveRaw(router, bankImportCreate, async (request) => {
    const { organizer } = request
    const input = await readBankImport(database, request, request.body)
    const answer = await request.carryOut(
      (tx) => addBankImport(tx, request, input),
      async (made, db) => {
        const rows = await visibleBankImports(db, request, sql` AND id = ${made}`)
        return (await presentBankImports(db, organizer.id, rows))[0]
      },
    )
    runner?.look()
    return answer
  })
}
