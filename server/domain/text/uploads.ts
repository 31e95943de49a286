import { whyNotPicture } from './pictures.ts'

const kinds: readonly {
  readonly type: string
  readonly endings: readonly string[]
  /** The bytes that every such file begins with, as text of Latin-1. */
  readonly beginnings: readonly string[]
}[] = [
  { type: 'image/png', endings: ['png'], beginnings: ['\u0089PNG\r\n\u001a\n'] },
  { type: 'image/jpeg', endings: ['jpg', 'jpeg'], beginnings: ['\u00ff\u00d8\u00ff'] },
  { type: 'image/gif', endings: ['gif'], beginnings: ['GIF87a', 'GIF89a'] },
  { type: 'application/pdf', endings: ['pdf'], beginnings: ['%PDF-'] },
]

const fileTypes: readonly string[] = kinds.map(({ type }) => type)

/** A name that is safe in a header and on a disk: letters, digits and a few signs, and not too long. */
export const tidyName = (name: string): string =>
  name
    .replaceAll(/[^\p{L}\p{N}._ -]/gu, '_')
    .replace(/^\.+/, '')
    .slice(-100)

/** The name in a `Content-Disposition: attachment; filename="x.png"`, or null where there is none. */
export function nameIn(disposition: string): string | null {
  const [, quoted, plain] =
    /^\s*attachment\s*;(?:.*;)?\s*filename\s*=\s*(?:"([^"]+)"|([^\s";]+))/i.exec(disposition) ?? []
  return quoted ?? plain ?? null
}

/** Why a file cannot be uploaded, or null when it can: its type, its name and what is in it have to agree. */
export function whyNotFile(type: string, name: string, bytes: Uint8Array): string | null {
  if (bytes.length === 0) return 'No file has been submitted.'
  const kind = kinds.find((one) => one.type === type)
  if (!kind) return `Files of this type cannot be uploaded; known are ${fileTypes.join(', ')}.`
  const ending = name.slice(name.lastIndexOf('.') + 1).toLowerCase()
  if (!kind.endings.includes(ending)) return 'The name of the file does not fit its type.'
  const head = Buffer.from(bytes.subarray(0, 8)).toString('latin1')
  return kind.beginnings.some((one) => head.startsWith(one))
    ? whyNotPicture(type, bytes)
    : 'What is in the file does not fit its type.'
}
