import { hash } from 'node:crypto'

/** An entry of the audit trail as it is stored. */
export interface AuditRow {
  readonly organizer: number
  readonly id: number
  readonly event: number
  readonly at: string
  readonly actor_kind: string
  readonly actor: number
  readonly action: string
  readonly resource: string
  readonly row_id: number
  readonly data: string | null
}

/** A seal over some entries of an organizer and the seal before it. */
export interface AuditSeal {
  readonly organizer: number
  /** From 1, without gaps. */
  readonly number: number
  readonly at: string
  /** No sealed entry up to this seal is younger. */
  readonly upto: string
  /** One line for each entry: its id, and the digests of who did what and of its data. */
  readonly entries: string
  readonly hash: string
}

/** What a seal says of one entry. */
export interface SealedEntry {
  readonly id: number
  readonly head: string
  readonly data: string
}

/** The hash that stands before the first seal. */
export const beginning = ''

/**
 * What a seal keeps of an entry. The data has a digest of its own, so that personal data can be forgotten without
 * hiding who did what.
 */
export function sealedEntry(row: AuditRow): SealedEntry {
  const head = [row.organizer, row.id, row.event, row.at, row.actor_kind, row.actor]
  const rest = [row.action, row.resource, row.row_id]
  return {
    id: row.id,
    head: hash('sha256', JSON.stringify([...head, ...rest]), 'base64url'),
    data: row.data === null ? '-' : hash('sha256', `${row.id} ${row.data}`, 'base64url'),
  }
}

/** Entries as the text of a seal. */
export const entriesText = (entries: readonly SealedEntry[]): string =>
  entries.map(({ id, head, data }) => `${id} ${head} ${data}`).join('\n')

/** The entries that the text of a seal covers. */
export const entriesIn = (text: string): SealedEntry[] =>
  text.split('\n').map((line) => {
    const [id = '', head = '', data = ''] = line.split(' ')
    return { id: Number(id), head, data }
  })

/** The hash of a seal, by the hash of the one before it. */
export const sealHash = (previous: string, seal: Omit<AuditSeal, 'hash'>): string =>
  hash(
    'sha256',
    JSON.stringify([previous, seal.organizer, seal.number, seal.at, seal.upto, seal.entries]),
    'base64url',
  )
