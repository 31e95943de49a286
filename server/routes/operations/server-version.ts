import { version } from '../../version.ts'

/** The version of this server, as text and as a number that grows with it: three digits for each part. */
export const serverVersion = {
  gatehouse: version,
  gatehouse_numeric: version
    .split('.')
    .reduce((number, part) => number * 1000 + Number.parseInt(part, 10), 0),
}
