import { readInstant } from '../../../schema/instants.ts'
import type { StoredRow } from '../../../schema/resource.ts'
import { printLog, printTypes } from '../../../schema/resources/orders/print-log.ts'
import { siteOf } from '../../../schema/sites.ts'
import { impossible } from '../../errors.ts'
import { check } from '../../resource/input.ts'
import { findRow, insertRow } from '../../resource/store.ts'
import type { Applier } from './applier.ts'
import { findPosition, mayStillCome, touchOrder } from './reported-position.ts'

const id = { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER } as const

const schema = {
  type: 'object',
  required: ['row', 'secret'],
  properties: {
    row: {
      type: 'object',
      required: ['id', 'position', 'datetime', 'created', 'source', 'type', 'info', 'successful'],
      properties: {
        id,
        position: id,
        datetime: { type: 'string' },
        created: { type: 'string' },
        source: { type: 'string', maxLength: 255 },
        type: { type: 'string', enum: printTypes },
        info: { type: 'object' },
        successful: { type: 'boolean' },
      },
    },
    secret: { type: 'string', maxLength: 255 },
  },
} as const

interface ReportedPrint {
  readonly row: Omit<StoredRow<typeof printLog>, 'device'>
  readonly secret: string
}

/** Keeps what was printed at a station. */
export const applyPrint: Applier = async (tx, context, fact) => {
  check(schema, fact.payload)
  const { place, actor, at } = context
  const { row, secret } = fact.payload as ReportedPrint
  const said = readInstant(row.datetime)
  if (!said) throw impossible('The print has no time.')
  const position = await findPosition(tx, place, row.position, secret)
  if (!position)
    return mayStillCome(tx, context, row.position)
      ? {
          status: 'retry',
          reason: 'unknown_order',
          detail: 'The order of this ticket is not known here yet.',
        }
      : { status: 'rejected', reason: 'unknown_order', detail: 'There is no such ticket here.' }
  const { source, type, info, successful } = row
  const known = await findRow(tx, printLog, place, { id: row.id })
  if (known && known.position === position.id && known.source === source) return { status: 'applied' }
  await insertRow(tx, printLog, place, {
    ...{ source, type, info, successful, position: position.id, device: fact.device, created: tx.now },
    id: known || siteOf(row.id) !== fact.site ? tx.nextId() : row.id,
    // Where the program said no time, it is that of the station's clock, which is known better here.
    datetime: row.datetime === row.created ? at : said,
  })
  await touchOrder(tx, place, position.order_id)
  tx.audit(place, actor, {
    action: 'ticketsvc.event.order.print',
    resource: 'order',
    row: position.order_id,
    data: { position: position.id, type, successful },
  })
  return { status: 'applied', ...(known ? { rejoin: true } : {}) }
}
