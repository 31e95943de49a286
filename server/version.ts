import { readFileSync } from 'node:fs'

/** The version of this program. */
export const version: string = JSON.parse(
  readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
).version

/** The same as it is announced: as text, and as a number that grows with it, three digits for each part. */
export const serverVersion = {
  gatehouse: version,
  gatehouse_numeric: version
    .split('.')
    .reduce((number, part) => number * 1000 + Number.parseInt(part, 10), 0),
}
