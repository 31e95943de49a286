import type { BundledProduct, SaleCatalogue } from '../../../schema/bodies/sale-catalogue.ts'
import { localized, type Translate } from '../../text/translate.ts'
import type { BasketLine } from './basket.ts'

/** What a product that comes with another one is called. */
export const bundleName = ({ name, variation_name }: BundledProduct, language: string): string =>
  [localized(name, language), localized(variation_name, language)].filter(Boolean).join(' · ')

/** In which language something is said. */
export interface LineVoice {
  readonly t: Translate
  readonly language: string
}

/** What a line of a basket is called, and what it is together with: its seat, its date, what is added to it. */
export function lineWords(
  line: BasketLine,
  catalogue: SaleCatalogue | null,
  { t, language }: LineVoice,
): { readonly name: string; readonly details: readonly string[] } {
  const nameOf = (id: number, form: number | null): string => {
    const product = catalogue?.products.find((one) => one.id === id)
    const variation = product?.variations.find((one) => one.id === form)
    return [localized(product?.name, language), localized(variation?.name, language)]
      .filter(Boolean)
      .join(' · ')
  }
  const date = catalogue?.dates.find(({ id }) => id === line.subevent)
  const bundles = catalogue?.products.find(({ id }) => id === line.product)?.bundles ?? []
  const added = line.addons.map(({ product, variation, count, bundled }) => {
    const bundle = bundled && bundles.find((one) => one.product === product && one.variation === variation)
    return t(bundled ? 'till.includes' : 'till.with', {
      count,
      name: bundle ? bundleName(bundle, language) : nameOf(product, variation),
    })
  })
  return {
    name: nameOf(line.product, line.variation),
    details: [
      ...(line.seat ? [line.seat.name] : []),
      ...(date ? [localized(date.name, language)] : []),
      ...added,
    ],
  }
}
