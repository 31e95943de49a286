import sql from 'sql-template-tag'
import type { PrintDocument, printReasons, printStates } from '../../../schema/bodies/print-jobs.ts'
import type { Tx } from '../../resource/transactions.ts'
import type { Queryable } from '../../storage/database.ts'

/** See printStates and printReasons. */
export type PrintState = (typeof printStates)[number]
export type PrintReason = (typeof printReasons)[number]

/** Something that this machine's printers are to print. */
export interface QueuedPrint {
  readonly organizer: number
  readonly event: number
  readonly id: string
  readonly document: PrintDocument
  readonly subject: number | null
  readonly note: number | null
  readonly copy: number
  readonly title: string
  readonly locale: string
  /** Whether the drawer opens with it, and whether it was told to. */
  readonly pulse: 'none' | 'wanted' | 'given'
  readonly created: string
  readonly state: PrintState
  readonly reason: PrintReason | null
  readonly printer: string | null
}

type PrintJobKey = Pick<QueuedPrint, 'organizer' | 'id'>

/** The job that a screen knows by an id. */
export const printJob = (db: Queryable, { organizer, id }: PrintJobKey): Promise<QueuedPrint | undefined> =>
  db.get<QueuedPrint>(sql`SELECT * FROM print_job WHERE organizer = ${organizer} AND id = ${id}`)

/** What is still to be printed, in the order in which it was asked for: of one sale first its receipt, then guest by guest. */
export const waitingPrintJobs = (db: Queryable): Promise<QueuedPrint[]> =>
  db.all<QueuedPrint>(
    sql`SELECT * FROM print_job WHERE state = 'waiting'
        ORDER BY created, CASE WHEN document IN ('receipt', 'closing') THEN 0 ELSE 1 END, subject NULLS FIRST, document DESC, id`,
  )

/** The last job for a document of a subject that is, or may be, on paper, or will be. */
export const livePrintJob = (
  db: Queryable,
  { organizer, document, subject }: Pick<QueuedPrint, 'organizer' | 'document' | 'subject'>,
): Promise<QueuedPrint | undefined> =>
  db.get<QueuedPrint>(
    sql`SELECT * FROM print_job WHERE organizer = ${organizer} AND document = ${document} AND subject = ${subject}
          AND state <> 'failed' ORDER BY created DESC, id DESC LIMIT 1`,
  )

/** What is not printed, or may not be, the oldest first. */
export const openPrintJobs = (db: Queryable, organizer: number): Promise<QueuedPrint[]> =>
  db.all<QueuedPrint>(
    sql`SELECT * FROM print_job WHERE organizer = ${organizer} AND state IN ('waiting', 'sending', 'unknown')
        ORDER BY created, id`,
  )

/** How long what was printed is kept, by the number of jobs. */
const kept = 200

/** Stores a job, and forgets the oldest of those that are over. */
export async function storePrintJob(tx: Tx, job: Omit<QueuedPrint, 'created' | 'reason'>): Promise<void> {
  const { organizer, event, id, document, subject, note, copy, title, locale, pulse, state, printer } = job
  await tx.run(
    sql`INSERT INTO print_job (organizer, event, id, document, subject, note, copy, title, locale, pulse, created, state,
          reason, printer)
        VALUES (${organizer}, ${event}, ${id}, ${document}, ${subject}, ${note}, ${copy}, ${title}, ${locale}, ${pulse},
          ${tx.now}, ${state}, NULL, ${printer})`,
  )
  await tx.run(
    sql`DELETE FROM print_job WHERE organizer = ${organizer} AND state IN ('sent', 'printed', 'failed') AND id NOT IN (
          SELECT id FROM print_job WHERE organizer = ${organizer} ORDER BY created DESC LIMIT ${kept})`,
  )
}

/** What can be learned of a job. */
type PrintJobChange = Partial<Pick<QueuedPrint, 'state' | 'reason' | 'printer' | 'pulse'>>

/** Changes a job that is in one of some states; as it is then, or null where it was in another one. */
export async function changePrintJob(
  tx: Tx,
  { organizer, id }: PrintJobKey,
  from: readonly PrintState[],
  change: PrintJobChange,
): Promise<QueuedPrint | null> {
  await tx.get(sql`SELECT id FROM print_job WHERE organizer = ${organizer} AND id = ${id}${tx.forUpdate}`)
  const before = await printJob(tx, { organizer, id })
  if (!before || !from.includes(before.state)) return null
  const { state, reason, printer, pulse } = { ...before, ...change }
  await tx.run(
    sql`UPDATE print_job SET state = ${state}, reason = ${reason}, printer = ${printer}, pulse = ${pulse}
        WHERE organizer = ${organizer} AND id = ${id}`,
  )
  return { ...before, ...change }
}

/** What was being sent when the program ended may be on paper: somebody has to look. */
export const loseSentJobs = (tx: Tx): Promise<number> =>
  tx.run(
    sql`UPDATE print_job SET state = 'unknown', reason = ${'restarted' satisfies PrintReason}
        WHERE state = 'sending'`,
  )
