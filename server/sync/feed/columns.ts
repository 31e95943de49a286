import { marksOf } from '../../../schema/fields.ts'
import type { Resource } from '../../../schema/resource.ts'
import { siteSpan } from '../../../schema/sites.ts'
import { blankCell, isGiven, maskedFields } from '../../resource/mask.ts'
import { storedFields } from '../../resource/store.ts'
import { partGiven, takePart } from '../../services/orders/given-in-part.ts'
import type { Cells } from '../../storage/database.ts'
import { replicated } from './replicated.ts'
import type { View } from './view.ts'

type Cell = string | number | null
type Names = Readonly<Record<string, readonly string[]>>

/** What is sent to nobody: keys, what one server keeps for itself, and what points out of what a device may see. */
const never: Names = {
  event: ['cloned_from'],
  event_key: ['private_key'],
}

/** What admits devices: sent to a hub about its own devices, and about itself which numbers it once gave. */
const access: Names = { device: ['token_hash', 'initialization_token', 'former_sites'] }

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

const isOwn = (view: View, id: number): boolean =>
  view.sites.some(([first, end]) => id >= first * siteSpan && id < end * siteSpan)

type Column = (row: Cells, view: View) => Cell

/** Columns of which only a part is given. */
function partOf({ audience }: View, resource: string, name: string): Column | undefined {
  const part = partGiven(resource, name, audience)
  if (part) return (row, view) => takePart(part, name, row, view.asked)
  switch (`${resource}.${name}`) {
    case 'device.token_hash':
    case 'device.initialization_token':
      return (row, view) => (isOwn(view, Number(row.id)) ? (row[name] ?? null) : null)
    case 'device.former_sites':
      return (row, view) =>
        isOwn(view, Number(row.id)) || Number(row.id) === view.device ? (row[name] ?? null) : null
    case 'staff.pin_hash':
    case 'staff.badge_hash':
      return (row, view) => (mayComeTo(view, row) ? (row[name] ?? null) : null)
    case 'device.limit_events':
      return (row, view) => (view.allEvents ? (row[name] ?? null) : knownOnly(view, String(row[name])))
    default:
      return undefined
  }
}

/**
 * Whether somebody may come to work at a device, or at one below a hub: the hash of a PIN is soon guessed by who holds
 * it, and so is nowhere else. At which gate a device stands changes without them, so that those of gates are everywhere.
 */
const mayComeTo = ({ number, sites }: View, row: Cells): boolean =>
  row.active === 1 &&
  (sites.length > 0 ||
    row.all_devices === 1 ||
    row.limit_gates !== '[]' ||
    (JSON.parse(String(row.limit_devices)) as number[]).includes(number))

function knownOnly(view: View, slugs: string): string {
  const known = new Set(view.events.values())
  return JSON.stringify((JSON.parse(slugs) as string[]).filter((slug) => known.has(slug)))
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

const isGivenIn = (view: View, resource: Resource): boolean =>
  isGiven(resource, view.audience) && (view.withOrders || !onlyWithOrders.has(resource.name))

const makeShapes = (view: View): readonly RowShape[] =>
  replicated.filter((resource) => isGivenIn(view, resource)).map((resource) => shapeOf(view, resource))

function shapeOf(view: View, resource: Resource): RowShape {
  const { name, scope } = resource
  const left = new Set([...(never[name] ?? []), ...(view.sites.length > 0 ? [] : (access[name] ?? []))])
  const withheld = maskedFields(resource, view.audience)
  const columns: [string, Column][] = scope === 'event' ? [['event', (row) => row.event ?? null]] : []
  const read = new Set(columns.map(([column]) => column))
  const references: Reference[] = scope === 'event' ? [{ column: 'event', to: 'event', many: false }] : []
  for (const [column, field] of Object.entries(storedFields(resource))) {
    const { nullable, to, kind } = marksOf(field)
    if (left.has(column) || (withheld.has(column) && nullable)) continue
    if (withheld.has(column)) {
      const blank = blankCell(field)
      columns.push([column, () => blank])
    } else if (!view.withOrders && onlyWithOrders.has(to ?? '')) columns.push([column, () => null])
    else {
      columns.push([column, partOf(view, name, column) ?? ((row) => row[column] ?? null)])
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
