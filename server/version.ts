import { readFileSync } from 'node:fs'

/** The version of this program. */
export const version: string = JSON.parse(
  readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
).version

/** The version of pretix whose behaviour this program offers; clients ask what they may by it. */
const offered = '2026.8.0'

/** A version as a number that grows with it, three digits for each part. */
const numberOf = (text: string): number =>
  text.split('.').reduce((number, part) => number * 1000 + Number.parseInt(part, 10), 0)

/** Versions as they are announced. That of pretix ends in its stage: 50 for a release, and which one of that stage. */
export const serverVersion = {
  gatehouse: version,
  gatehouse_numeric: numberOf(version),
  pretix: offered,
  pretix_numeric: numberOf(offered) * 10_000 + 5000,
}
