type Call = (method: string, path: string, body?: object) => Promise<Readonly<Record<string, unknown>>>

/** A zone of a hall, all of whose seats are of one category: what they are sold as, and for how much. */
interface HallZone {
  readonly name: string
  readonly price: string
  readonly rows: number
  readonly seatsInRow: number
}

const organizer = '/api/v1/organizers/demo'
const ev = `${organizer}/events/festival`
const colors = ['#b5452c', '#2f6fb5']
const [spacing, lineSpacing] = [24, 28]

/** The rows of a zone in the format of seating plan editors; a seat is called zone-row-seat. */
const rowsOf = ({ name, rows, seatsInRow }: HallZone) =>
  Array.from({ length: rows }, (_, row) => ({
    row_number: String(row + 1),
    position: { x: 0, y: row * lineSpacing },
    seats: Array.from({ length: seatsInRow }, (_one, seat) => ({
      seat_guid: `${name}-${row + 1}-${seat + 1}`,
      seat_number: String(seat + 1),
      category: name,
      position: { x: seat * spacing, y: 0 },
    })),
  }))

/** Has the demo sell a product for each zone of a hall, by its seats. */
export async function addHall(call: Call, zones: readonly HallZone[]): Promise<void> {
  const products: Record<string, unknown> = {}
  for (const { name, price, rows, seatsInRow } of zones) {
    const { id } = await call('POST', `${ev}/items/`, {
      ...{ name: { en: name, de: name }, default_price: price, active: true, admission: true },
      ...{ sales_channels: ['web', 'boxoffice'] },
    })
    await call('POST', `${ev}/quotas/`, { name, size: rows * seatsInRow, items: [id], variations: [] })
    products[name] = id
  }
  const layout = {
    name: 'Hall',
    size: { width: 1200, height: 1200 },
    categories: zones.map(({ name }, index) => ({ name, color: colors[index % colors.length] })),
    zones: zones.map((zone, index) => {
      const before = zones.slice(0, index).reduce((sum, { rows }) => sum + rows + 4, 0)
      return { name: zone.name, position: { x: 0, y: before * lineSpacing }, rows: rowsOf(zone) }
    }),
  }
  const plan = await call('POST', `${organizer}/seatingplans/`, { name: 'Hall', layout })
  await call('PATCH', `${ev}/`, { seating_plan: plan.id, seat_category_mapping: products })
}
