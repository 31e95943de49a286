import type { ShownTicket } from '../../../schema/bodies/guests.ts'

/** Where the holder of a ticket is, as far as some lists know; null where nobody was admitted with it. */
export function presenceIn(
  { scans }: Pick<ShownTicket, 'scans'>,
  lists: readonly number[],
): { readonly where: 'in' | 'left'; readonly since: string } | null {
  const last = scans.find((scan) => lists.includes(scan.list) && scan.outcome === 'admitted')
  return last ? { where: last.type === 'entry' ? 'in' : 'left', since: last.datetime } : null
}
