/** What an organizer says about one piece of meta data of its events. */
export interface MetaProperty {
  readonly name: string
  readonly default: string
  readonly required: boolean
  readonly protected: boolean
  readonly choices: readonly { readonly key: string }[] | null
}

/** Values of meta data by the names of their properties. */
export type MetaData = Readonly<Record<string, string>>

/** The colour that a product's meta data says, as `#rrggbb`; null where it says none, or what is no hex colour. */
export function colorOf({ color }: MetaData): string | null {
  const digits = /^#([0-9a-f]{3}|[0-9a-f]{6})$/i.exec(color?.trim() ?? '')?.[1]?.toLowerCase()
  if (digits === undefined) return null
  return `#${digits.length === 3 ? digits.replaceAll(/./g, '$&$&') : digits}`
}

/** Meta data as somebody may store it who has no right to the protected properties: those stay as they were. */
export function withoutProtected(
  values: MetaData,
  before: MetaData,
  properties: readonly MetaProperty[],
): MetaData {
  const names = new Set(properties.flatMap((one) => (one.protected ? one.name : [])))
  const own = Object.entries(values).filter(([name]) => !names.has(name))
  const others = Object.entries(before).filter(([name]) => names.has(name))
  return Object.fromEntries([...own, ...others])
}

/**
 * Complaints about meta data that is about to be stored. What was there before is not complained about again, so that
 * a narrower choice does not keep an event from being changed.
 */
export function metaProblems(
  values: MetaData,
  before: MetaData,
  properties: readonly MetaProperty[],
): string[] {
  const byName = new Map(properties.map((property) => [property.name, property]))
  const names = new Set([...Object.keys(values), ...Object.keys(before)])
  return [...names].flatMap((name) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined
    const old = Object.hasOwn(before, name) ? before[name] : undefined
    if (value === old) return []
    const property = byName.get(name)
    if (!property) return value === undefined ? [] : [`Meta data property "${name}" does not exist.`]
    const isOffered = !value || !property.choices || property.choices.some(({ key }) => key === value)
    return isOffered ? [] : [`"${value}" is not one of the values of "${name}".`]
  })
}

/** The names of required properties of which nothing is said, neither by the event nor by their default. */
export const missingMeta = (values: MetaData, properties: readonly MetaProperty[]): string[] =>
  properties
    .filter(({ name, required, default: usual }) => {
      const value = Object.hasOwn(values, name) ? values[name] : usual
      return required && !value
    })
    .map(({ name }) => name)

/** What an event says about one piece of meta data of its products. */
interface ItemMeta {
  readonly name: string
  readonly default: string
  readonly required: boolean
  readonly allowed_values: readonly string[] | null
}

/** Complaints about meta data of a product: what nobody asks for, what is not allowed, and what is missing. */
export function itemMetaProblems(
  values: MetaData,
  before: MetaData,
  properties: readonly ItemMeta[],
): string[] {
  const unknown = Object.keys(values).filter((name) => !properties.some((one) => one.name === name))
  const own = properties.flatMap(({ name, default: usual, required, allowed_values: allowed }) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined
    const old = Object.hasOwn(before, name) ? before[name] : undefined
    if (!value) return required && !usual ? [`"${name}" has to be said of every item.`] : []
    if (value === old || !allowed || allowed.includes(value)) return []
    return [`"${value}" is not one of the values of "${name}".`]
  })
  return [...unknown.map((name) => `Item meta data property "${name}" does not exist.`), ...own]
}
