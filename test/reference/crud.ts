import { pick } from '../fuzz/invent.ts'
import { bodyOf, type Source } from './made-up.ts'
import type { Described } from './resources.ts'

type Row = Readonly<Record<string, unknown>>

const filled = ({ draw, stage }: Source, pattern: string): string =>
  pattern.replace(/\{(\w+)\}/g, (_, kind: string) => {
    const values = stage.of(kind)
    return encodeURIComponent(String(values.length > 0 ? pick(draw, values) : 99_999))
  })

/** Notes what an answer tells there is. */
export function learn({ stage }: Source, kind: string, row: Row, key = 'id'): void {
  stage.add(kind, row[key])
  if (kind === 'item') {
    const variations = (row.variations ?? []) as Row[]
    stage.add(variations.length > 0 ? 'item_with_variations' : 'plain_item', row.id)
    for (const one of variations) stage.add('variation', one.id)
  }
  if (kind === 'question' && (row.type === 'C' || row.type === 'M')) stage.add('choice', row.id)
  if (kind === 'voucher') stage.add('voucher_code', row.code)
  if (kind === 'gift_card') stage.add('gift_secret', row.secret)
}

const rowPath = (path: string, id: unknown): string => `${path}${encodeURIComponent(String(id))}/`

/** Creates something; whether both servers did. */
export async function create(source: Source, resource: Described, spoiled: number): Promise<void> {
  const path = filled(source, resource.path)
  const body = bodyOf(source, resource.required, resource.optional, spoiled)
  const answer = await source.stage.ask('POST', path, body)
  if (answer.status === 201) learn(source, resource.kind, answer.body as Row, resource.key)
}

/** A body without the parts that have addresses of their own. */
const partless = ({ variations, options, ...body }: Record<string, unknown>): Record<string, unknown> => body

/** Does one thing to a resource: reads, lists, changes or deletes. */
export async function touch(source: Source, resource: Described): Promise<void> {
  const { draw, stage } = source
  const path = filled(source, resource.path)
  const ids = stage.of(resource.kind)
  const chance = draw()
  if (chance < 0.3) {
    const asked = [pick(draw, resource.queries), ...(draw() < 0.3 ? [pick(draw, resource.queries)] : [])]
    // Each parameter once.
    const query = new Map(
      asked
        .join('&')
        .split('&')
        .map((one) => [one.split('=')[0], one]),
    )
    await stage.ask('GET', `${path}?${filled(source, [...query.values()].join('&'))}`)
    return
  }
  if (resource.path.includes('{') || ids.length === 0) {
    await stage.ask('GET', path)
    return
  }
  const id = draw() < 0.95 ? pick(draw, ids) : pick(draw, [1, 99_999, 'x'])
  const row = rowPath(path, id)
  if (chance < 0.5) await stage.ask('GET', row)
  else if (chance < 0.85) {
    const body = bodyOf(source, {}, { ...resource.required, ...resource.optional }, 0.2)
    await stage.ask('PATCH', row, partless(body))
  } else if (chance < 0.92)
    // Whole bodies: what is left out gets its default here, as the contract says, and stays as it is there.
    await stage.ask(
      'PUT',
      row,
      partless(bodyOf(source, { ...resource.required, ...resource.optional }, {}, 0)),
    )
  else if (!resource.keeps && (await stage.ask('DELETE', row)).status === 204)
    for (const kind of [resource.kind, 'plain_item', 'item_with_variations', 'choice']) stage.drop(kind, id)
}
