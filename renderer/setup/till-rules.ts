/** What is known of what the law of a country demands of tills. */
export type TillRule = 'no_device' | 'signing_device' | 'certified' | 'unknown'

/** Countries by that, as published by makers of tills in 2026; not advice, and not complete. */
const countries: Readonly<Record<Exclude<TillRule, 'unknown'>, string>> = {
  no_device: 'AU CA CZ DK EE FI IE LU NL CH GB US',
  signing_device: 'DE AT',
  certified: 'BE BG HR CY FR GR HU IT LV LT MT PL PT RO SK SI SE',
}

/** What is known of a country by its two letters. */
export function tillRuleOf(country: string): TillRule {
  if (countries.no_device.split(' ').includes(country)) return 'no_device'
  if (countries.signing_device.split(' ').includes(country)) return 'signing_device'
  return countries.certified.split(' ').includes(country) ? 'certified' : 'unknown'
}
