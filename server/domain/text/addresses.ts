import { countryCodes } from '../../../schema/countries.ts'

/** Countries whose addresses name a state. */
const withStates: ReadonlySet<string> = new Set(['AU', 'BR', 'CA', 'CN', 'MY', 'MX', 'US'])

/** What is wrong with the country and state of an address, by field; nothing for an address that leaves them out. */
export function addressProblems(
  country: string | null | undefined,
  state: string | null | undefined,
): Record<string, string[]> {
  const problems: Record<string, string[]> = {}
  if (country && !countryCodes.has(country)) problems.country = [`"${country}" is not a known country code.`]
  else if (state && !withStates.has(country ?? ''))
    problems.state = ['Addresses in this country do not name a state.']
  return problems
}
