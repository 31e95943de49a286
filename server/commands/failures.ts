import { fileIn, folderIn } from '../data-address.ts'
import { impossible, Refusal } from '../errors.ts'
import { StorageError } from '../storage/database.ts'
import { StrangeDatabase } from '../storage/migrate.ts'

/** What a system or database error carries beside its message. */
interface Details {
  readonly code?: unknown
  readonly syscall?: unknown
  readonly address?: unknown
  readonly port?: unknown
  readonly hostname?: unknown
}

const codeOf = (cause: unknown): string => {
  const { code } = detailsOf(cause)
  if (typeof code === 'string') return code
  return cause instanceof Error && cause.cause ? codeOf(cause.cause) : ''
}

const detailsOf = (cause: unknown): Details => (typeof cause === 'object' && cause !== null ? cause : {})

const isAmong = (code: string, ...codes: readonly string[]): boolean =>
  codes.some((one) => code === one || code.startsWith(`${one}_`))

const files: Readonly<Record<string, string>> = {
  EACCES: 'you have no right to it',
  EPERM: 'you have no right to it',
  EROFS: 'it is on a disk that cannot be written to',
  ENOTDIR: 'part of its path is a file',
  EEXIST: 'it is a file',
  ENOENT: 'there is no such place',
  ENAMETOOLONG: 'its name is too long',
}

/** Why a data folder cannot be used, in words; undefined for what is no trouble with files. */
function fileTrouble(code: string, folder: string): string | undefined {
  const why = files[code]
  if (why) return `The data folder ${folder} cannot be used: ${why}. Choose another one with --data.`
  if (isAmong(code, 'ENOSPC', 'SQLITE_FULL'))
    return `The disk of the data folder ${folder} is full. Make room and try again.`
  const file = fileIn(folder)
  if (isAmong(code, 'SQLITE_NOTADB'))
    return `${file} is not a database. Move it away, or choose another data folder with --data.`
  if (isAmong(code, 'SQLITE_CORRUPT'))
    return `The database ${file} is damaged. Stop every program that uses it, keep a copy of its folder, and put a backup in its place.`
  if (isAmong(code, 'SQLITE_CANTOPEN', 'SQLITE_READONLY', 'SQLITE_PERM', 'SQLITE_AUTH'))
    return `The database ${file} cannot be opened and written to. Look at the rights to the folder and to the files in it.`
  if (isAmong(code, 'SQLITE_IOERR'))
    return `The disk with the database ${file} does not work as it should. Try another disk, with a backup.`
  if (isAmong(code, 'SQLITE_BUSY', 'SQLITE_LOCKED'))
    return `The database ${file} was in use by another program all the time. Try again in a moment.`
  return undefined
}

const servers: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing answers there. Is it running?',
  ETIMEDOUT: 'it does not answer. Is it running, and does a firewall let you through?',
  EHOSTUNREACH: 'it cannot be reached from here.',
  ENOTFOUND: 'there is no machine of this name.',
  EAI_AGAIN: 'the name could not be looked up. Is there a network?',
  '28P01': 'the user or the password is wrong.',
  '28000': 'it does not let this user in.',
  '3D000': 'it has no such database. Make it with createdb.',
  '42501': 'this user has no right to do that.',
  '53100': 'its disk is full. Make room there and try again.',
}

function serverTrouble(code: string, address: string): string | undefined {
  const why = servers[code]
  // The address may hold a password, which is nobody's business.
  return why && `The database server at ${URL.parse(address)?.host ?? 'this address'} cannot be used: ${why}`
}

/** What went wrong with the data, as a sentence that says what to do; anything else as it is. */
export function dataFailure(cause: unknown, address: string): unknown {
  if (cause instanceof Refusal) return cause
  if (cause instanceof StrangeDatabase) return impossible(cause.message)
  const folder = folderIn(address)
  const code = codeOf(cause)
  const words = folder === null ? serverTrouble(code, address) : fileTrouble(code, folder)
  if (words) return impossible(words)
  if (cause instanceof StorageError && cause.problem === 'busy')
    return impossible('Somebody else is changing the same data. Try again in a moment.')
  return cause
}

const noAddress = (_: string, host: string): string =>
  `This machine does not have the address ${host}. Choose another one with --host.`

const listening: Readonly<Record<string, (port: string, host: string) => string>> = {
  EADDRINUSE: (port) =>
    `Port ${port} is in use already, perhaps by another Gatehouse. Stop that program, or choose another port with --port (0 picks a free one).`,
  EADDRNOTAVAIL: noAddress,
  EACCES: (port) => `You have no right to use port ${port}. Choose one above 1023 with --port.`,
  ENOTFOUND: noAddress,
}

/** Why a server could not listen, as a sentence that says what to do; undefined for another failure. */
export function listenFailure(cause: unknown): Refusal | undefined {
  const { syscall, port, address, hostname } = detailsOf(cause)
  if (syscall !== 'listen' && syscall !== 'getaddrinfo') return undefined
  const words = listening[codeOf(cause)]
  return words && impossible(words(String(port), String(address ?? hostname)))
}

/** What went wrong, in one sentence for whoever typed the command. */
export function sentence(cause: unknown): string {
  if (cause instanceof AggregateError && cause.message === '')
    return cause.errors.map((one) => sentence(one)).join(' ')
  if (!(cause instanceof Refusal)) return cause instanceof Error ? cause.message : String(cause)
  const { body } = cause
  if (body === null || Array.isArray(body)) return (body ?? []).join(' ')
  return Object.entries(body)
    .map(([field, said]) =>
      field === 'detail' || field === 'non_field_errors'
        ? [said].flat().join(' ')
        : `${field}: ${[said].flat().join(' ')}`,
    )
    .join(' ')
}
