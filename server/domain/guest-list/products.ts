import { cleanCell, looseKey, strictKey } from './text.ts'

/** What guests can have tickets for. Names are all of them: every language, and the internal one. */
export interface ProductCatalogue {
  readonly items: readonly CatalogueItem[]
  /** The item of rows that name none; null: such rows are refused, unless there is only one item. */
  readonly defaultItem: number | null
}

/** One product; the first name is the one shown in messages. */
export interface CatalogueItem {
  readonly id: number
  readonly names: readonly string[]
  readonly variations: readonly { readonly id: number; readonly names: readonly string[] }[]
}

/** A ticket's product. */
export interface Product {
  readonly item: number
  readonly variation: number | null
}

interface Meaning extends Product {
  readonly label: string
}

type Names = ReadonlyMap<string, readonly Meaning[]>

/** A catalogue prepared for many look-ups. */
export interface CatalogueIndex {
  readonly catalogue: ProductCatalogue
  /** Tried in this order: exact names, names without punctuation and with their variation, variations alone. */
  readonly names: readonly Names[]
}

/** Prepares a catalogue for findProduct. */
export function indexCatalogue(catalogue: ProductCatalogue): CatalogueIndex {
  const exact: [string, Meaning][] = []
  const loose: [string, Meaning][] = []
  const variationOnly: [string, Meaning][] = []
  for (const item of catalogue.items) {
    const product = { item: item.id, variation: null, label: labelOf(item) }
    for (const name of item.names) {
      exact.push([strictKey(name), product])
      loose.push([looseKey(name), product])
    }
    for (const variation of item.variations) {
      const label = `${labelOf(item)} (${labelOf(variation)})`
      const meaning = { item: item.id, variation: variation.id, label }
      for (const name of variation.names) {
        variationOnly.push([looseKey(name), meaning])
        for (const itemName of item.names) loose.push([looseKey(itemName + name), meaning])
      }
    }
  }
  return { catalogue, names: [exact, loose, variationOnly].map(collect) }
}

function labelOf(thing: { readonly id: number; readonly names: readonly string[] }): string {
  return thing.names[0] ?? `#${thing.id}`
}

function collect(entries: readonly (readonly [string, Meaning])[]): Names {
  const names = new Map<string, Meaning[]>()
  for (const [key, meaning] of entries) {
    const known = names.get(key) ?? []
    const isNew = known.every(
      ({ item, variation }) => item !== meaning.item || variation !== meaning.variation,
    )
    if (key !== '' && isNew) names.set(key, [...known, meaning])
  }
  return names
}

/** A product, or why there is none; `about` tells which of the two cells is to blame. */
export type FoundProduct = Product | { readonly about: 'product' | 'variation'; readonly problem: string }

/**
 * The product that a row names in its product and variation cells (either may be empty): by name in any language,
 * without regard to case, accents and spaces, also as "Product - Variation" in one cell.
 */
export function findProduct(index: CatalogueIndex, product: string, variation: string): FoundProduct {
  const meanings = product === '' ? withoutName(index, variation) : lookUp(index, product)
  const [first, ...others] = meanings
  if (!first) return { about: 'product', problem: unknownProduct(index, product) }
  if (others.length > 0) {
    const labels = meanings.map(({ label }) => label).join(', ')
    return {
      about: 'product',
      problem: `"${product || variation}" could be: ${labels}. Write the whole name.`,
    }
  }
  return settleVariation(index, first, variation)
}

function lookUp(index: CatalogueIndex, text: string): readonly Meaning[] {
  const keys = [strictKey(text), looseKey(text), looseKey(text)]
  for (const [place, names] of index.names.entries()) {
    const found = names.get(keys[place] ?? '')
    if (found) return found
  }
  return []
}

function withoutName(index: CatalogueIndex, variation: string): readonly Meaning[] {
  const { items, defaultItem } = index.catalogue
  const usual = items.find(({ id }) => id === defaultItem) ?? (items.length === 1 ? items[0] : undefined)
  if (usual) return [{ item: usual.id, variation: null, label: labelOf(usual) }]
  return variation === '' ? [] : lookUp(index, variation)
}

function settleVariation(index: CatalogueIndex, meaning: Meaning, text: string): FoundProduct {
  const { item, variation, label } = meaning
  const variations = index.catalogue.items.find(({ id }) => id === item)?.variations ?? []
  const known = variations.map(labelOf).join(', ')
  if (text === '') {
    const only = variations.length === 1 ? (variations[0]?.id ?? null) : null
    if (variation !== null || variations.length === 0 || only !== null)
      return { item, variation: variation ?? only }
    return { about: 'variation', problem: `"${label}" needs one of its variations: ${known}.` }
  }
  if (variations.length === 0)
    return { about: 'variation', problem: `"${label}" has no variations, so "${text}" cannot be one.` }
  const named = variations.filter(({ names }) => names.some((name) => looseKey(name) === looseKey(text)))
  const [first, ...others] = named
  if (!first || others.length > 0)
    return { about: 'variation', problem: `"${label}" has no variation "${text}". Known: ${known}.` }
  if (variation !== null && first.id !== variation) {
    return { about: 'variation', problem: `The ticket type says ${label}, the variation says "${text}".` }
  }
  return { item, variation: first.id }
}

const namesShown = 12

function unknownProduct(index: CatalogueIndex, text: string): string {
  const all = index.catalogue.items.map(labelOf)
  const more = all.length > namesShown ? ` and ${all.length - namesShown} more` : ''
  const known =
    all.length === 0
      ? 'The event has no ticket types yet: make its products first.'
      : `Known: ${all.slice(0, namesShown).map(cleanCell).join(', ')}${more}.`
  return text === '' ? `The ticket type is missing. ${known}` : `There is no ticket type "${text}". ${known}`
}
