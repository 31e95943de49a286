import {
  compareVersions,
  machineOf,
  type Release,
  type ReleaseList,
  type UpdateChannel,
} from '../../../schema/updates/release.ts'
import type { ListTrouble } from '../../../schema/updates/update-status.ts'

/** What a list is judged by. */
interface ListSituation {
  /** Milliseconds since 1970, as well as this machine knows. */
  readonly now: number
  /** The number of the newest list that was ever accepted here. */
  readonly seen: number
}

/** A clock may be so far behind; milliseconds. */
const tolerated = 24 * 3_600_000

/** Why a signed list is not gone by, or null. A list never follows a newer one, whatever the clock says. */
export function listTrouble(
  { sequence, issued, expires }: ReleaseList,
  { now, seen }: ListSituation,
): ListTrouble | null {
  if (sequence < seen) return 'older'
  // Whether it has expired cannot be said by a clock that stands before it was made.
  if (now < Date.parse(issued) - tolerated) return 'clock'
  return now > Date.parse(expires) ? 'expired' : null
}

/** A machine that could take a release. */
export interface Taker {
  readonly version: string
  /** The version of the installed package, which starts it. */
  readonly base: string
  readonly node: number
  readonly platform: string
  readonly arch: string
  readonly channel: UpdateChannel
  /** Its place among all stations, from 0 on and below 100; always the same. */
  readonly place: number
  /** The version that was tried here and does not work. */
  readonly failed: string | null
}

/** The release that a machine is to change to; undefined where it is to stay as it is. */
export function offeredRelease({ releases }: ReleaseList, taker: Taker): Release | undefined {
  if (taker.channel === 'hold') return undefined
  const failed = taker.failed
  return releases
    .filter((release) => {
      if (compareVersions(release.version, taker.version) <= 0) return false
      // What did not work is not tried again, nor what is older than it.
      if (failed !== null && compareVersions(release.version, failed) <= 0) return false
      if (compareVersions(release.minimum, taker.base) > 0 || release.node > taker.node) return false
      if (!release.builds[machineOf(taker.platform, taker.arch)]) return false
      return taker.channel === 'early' || taker.place < release.share
    })
    .sort((one, other) => compareVersions(other.version, one.version))[0]
}
