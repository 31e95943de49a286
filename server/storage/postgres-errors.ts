import { StorageError, type StorageProblem } from './database.ts'

const problems: Readonly<Record<string, StorageProblem>> = {
  '23505': 'unique',
  '23503': 'foreign',
  '40001': 'conflict',
  '40P01': 'conflict',
  '55P03': 'busy',
  '53100': 'full',
  '22003': 'unstorable',
  '22021': 'unstorable',
  '22P05': 'unstorable',
  '54000': 'unstorable',
  '58030': 'damaged',
  XX001: 'damaged',
  XX002: 'damaged',
}

/** The server goes away or takes no more connections, or the network does not lead there. */
const lostCodes =
  /^(08...|57P0[1-3]|53300|E(CONN(REFUSED|RESET|ABORTED)|PIPE|TIMEDOUT|(HOST|NET)UNREACH|NOTFOUND|AI_AGAIN))$/

/** A table has got a column since a statement was prepared on the connection, which stays of no use for that statement. */
const isOutdated = (cause: Error, code: string): boolean =>
  code === '0A000' && cause.message === 'cached plan must not change result type'

/** What the library says of connections has no code. */
const lostWords = /^(Connection terminated|Client (was closed|has encountered))/

/** The server ends the connection with such an error, or all of them: whether a commit got through is not known then. */
const isLast = (cause: Error): boolean =>
  'severity' in cause && (cause.severity === 'FATAL' || cause.severity === 'PANIC')

const isLoss = (cause: Error, code: string): boolean =>
  isLast(cause) ||
  lostCodes.test(code) ||
  isOutdated(cause, code) ||
  (code === '' && lostWords.test(cause.message))

/** A failure of PostgreSQL or of the connection to it as one that callers can name, where it is one. */
export const translatePostgres = (cause: unknown): unknown => {
  if (!(cause instanceof Error) || cause instanceof StorageError) return cause
  const code = 'code' in cause ? String(cause.code) : ''
  const problem = isLoss(cause, code) ? 'lost' : problems[code]
  return problem ? new StorageError(problem, cause) : cause
}

/** What went wrong, where a caller can do something about it. */
export const problemOf = (cause: unknown): StorageProblem | undefined =>
  cause instanceof StorageError ? cause.problem : undefined
