import { type Field, marksOf } from '../../../schema/fields.ts'
import type { Resource } from '../../../schema/resource.ts'
import { organizer } from '../../../schema/resources/events/organizer.ts'
import { resources } from '../../../schema/resources/index.ts'
import { siteSpan } from '../../../schema/sites.ts'
import { storedFields } from '../../resource/store.ts'
import type { Cells } from '../../storage/database.ts'
import type { View } from './view.ts'

/** What nodes below hold copies of, each after what it points at. */
export const replicated: readonly Resource[] = [organizer, ...resources.filter((one) => one.replicate)]

type Cell = string | number | null
type Names = Readonly<Record<string, readonly string[]>>

/** What is sent to nobody: keys, what one server keeps for itself, and what points out of what a device may see. */
const never: Names = {
  event: ['cloned_from'],
  event_key: ['private_key'],
}

/** What admits devices: sent to a hub about its own devices, and about itself which numbers it once gave. */
const access: Names = { device: ['token_hash', 'initialization_token', 'former_sites'] }

/** What nobody at an entrance needs. */
const ofTheSale: Names = {
  device: ['info'],
  item: ['default_price', 'original_price'],
  item_bundle: ['designated_price'],
  order: [
    'secret',
    'email',
    'phone',
    'customer',
    'payment_date',
    'payment_provider',
    'total',
    'comment',
    'custom_followup_at',
    'invoice_address',
  ],
  order_position: [
    'price',
    'attendee_email',
    'company',
    'street',
    'zipcode',
    'city',
    'country',
    'state',
    'voucher',
    'voucher_budget_use',
    'tax_rate',
    'tax_value',
    'tax_rule',
    'discount',
  ],
  subevent: ['item_price_overrides', 'variation_price_overrides'],
  variation: ['default_price', 'original_price'],
}

const onlyForTheSale: ReadonlySet<string> = new Set([
  'order_fee',
  'order_payment',
  'order_refund',
  'quota_lease',
  'voucher',
  'discount',
  'gift_card',
  'gift_card_transaction',
])

const onlyWithOrders: ReadonlySet<string> = new Set([
  'order',
  'order_position',
  'order_fee',
  'order_payment',
  'order_refund',
  'print_log',
])

/** Where rows point from one resource to another. */
export interface Reference {
  readonly column: string
  readonly to: string
  /** Whether the column holds a list of ids, which the database does not look after. */
  readonly many: boolean
}

/** How the rows of a resource look to a device. */
export interface RowShape {
  readonly resource: Resource
  readonly columns: readonly string[]
  /** What is read for them: the columns that are given as they are or in part. */
  readonly read: readonly string[]
  readonly references: readonly Reference[]
  cellsOf(row: Cells, view: View): Cell[]
}

/** What stands in a column that may not be empty instead of what is withheld. */
function blankOf(field: Field<unknown>): Cell {
  const { kind, default: fallback } = marksOf(field)
  switch (kind) {
    case 'json':
    case 'refs':
    case 'texts':
    case 'multilingual':
      return JSON.stringify(fallback ?? {})
    case 'id':
    case 'integer':
    case 'float':
    case 'flag':
    case 'money':
    case 'percent':
    case 'ref':
      return 0
    case 'text':
    case 'decimal':
    case 'datetime':
    case 'date':
    case 'time':
      return ''
  }
}

const isOwn = (view: View, id: number): boolean =>
  view.sites.some(([first, end]) => id >= first * siteSpan && id < end * siteSpan)

type Column = (row: Cells, view: View) => Cell

/** Columns of which only a part is given. */
function partOf(resource: string, name: string): Column | undefined {
  switch (`${resource}.${name}`) {
    case 'device.token_hash':
    case 'device.initialization_token':
      return (row, view) => (isOwn(view, Number(row.id)) ? (row[name] ?? null) : null)
    case 'device.former_sites':
      return (row, view) =>
        isOwn(view, Number(row.id)) || Number(row.id) === view.device ? (row[name] ?? null) : null
    case 'device.limit_events':
      return (row, view) => (view.allEvents ? (row[name] ?? null) : knownOnly(view, String(row[name])))
    case 'order_position.answers':
      return (row, view) => (view.isLean ? askedOnly(view, row) : (row[name] ?? null))
    default:
      return undefined
  }
}

function knownOnly(view: View, slugs: string): string {
  const known = new Set(view.events.values())
  return JSON.stringify((JSON.parse(slugs) as string[]).filter((slug) => known.has(slug)))
}

function askedOnly(view: View, { answers, event }: Cells): Cell {
  if (answers === '[]' || typeof answers !== 'string') return '[]'
  const asked = view.asked.get(Number(event))
  const given: { question: number }[] = JSON.parse(answers)
  return JSON.stringify(given.filter(({ question }) => asked?.has(question)))
}

/**
 * How the rows of each resource look to a device, in the order in which they are reported; resources that it is given
 * nothing of are missing. A column is left out where it is withheld and may be empty. Of an event's resources the
 * first column says which event.
 */
export function shapesOf(view: View): readonly RowShape[] {
  const known = shapesByTag.get(view.tag) ?? makeShapes(view)
  shapesByTag.set(view.tag, known)
  return known
}

/** Every question of every station asks for one of these few. */
const shapesByTag = new Map<string, readonly RowShape[]>()

const makeShapes = (view: View): readonly RowShape[] =>
  replicated
    .filter(({ name }) => !(view.isLean && onlyForTheSale.has(name)))
    .filter(({ name }) => view.withOrders || !onlyWithOrders.has(name))
    .map((resource) => shapeOf(view, resource))

function shapeOf(view: View, resource: Resource): RowShape {
  const { name, scope } = resource
  const left = new Set([...(never[name] ?? []), ...(view.sites.length > 0 ? [] : (access[name] ?? []))])
  const withheld = new Set(view.isLean ? ofTheSale[name] : [])
  const columns: [string, Column][] = scope === 'event' ? [['event', (row) => row.event ?? null]] : []
  const read = new Set(columns.map(([column]) => column))
  const references: Reference[] = scope === 'event' ? [{ column: 'event', to: 'event', many: false }] : []
  for (const [column, field] of Object.entries(storedFields(resource))) {
    const { nullable, to, kind } = marksOf(field)
    if (left.has(column) || (withheld.has(column) && nullable)) continue
    if (withheld.has(column)) {
      const blank = blankOf(field)
      columns.push([column, () => blank])
    } else if (!view.withOrders && onlyWithOrders.has(to ?? '')) columns.push([column, () => null])
    else {
      columns.push([column, partOf(name, column) ?? ((row) => row[column] ?? null)])
      read.add(column)
      if (to) references.push({ column, to, many: kind === 'refs' })
    }
  }
  const cells = columns.map(([, cell]) => cell)
  return {
    resource,
    columns: columns.map(([column]) => column),
    read: [...read],
    references,
    cellsOf: (row, view) => cells.map((cell) => cell(row, view)),
  }
}
