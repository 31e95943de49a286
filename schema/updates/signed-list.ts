import { createPrivateKey, createPublicKey, sign, verify } from 'node:crypto'
import {
  isVersion,
  type Release,
  type ReleaseBuild,
  type ReleaseFile,
  type ReleaseList,
  releaseShares,
} from './release.ts'

/** Said before what is signed, so that a signature for another purpose is none for this one. */
const purpose = 'gatehouse-updates-1\n'

/** A value as the one text that it has: keys in their order, no spaces. */
export function canonicalText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalText).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${entries.map(([key, one]) => `${JSON.stringify(key)}:${canonicalText(one)}`).join(',')}}`
}

const bytesOf = (list: unknown): Buffer => Buffer.from(purpose + canonicalText(list))

/** A list with its signature, as it is published; the key is a private Ed25519 key in PEM. */
export function signList(list: ReleaseList, privateKey: string): string {
  const key = createPrivateKey(privateKey)
  if (key.asymmetricKeyType !== 'ed25519') throw new Error('The key is not an Ed25519 key.')
  return `${JSON.stringify({ list, signature: sign(null, bytesOf(list), key).toString('base64') }, null, 1)}\n`
}

const isSignedBy = (list: unknown, signature: Buffer, publicKey: string): boolean => {
  try {
    const key = createPublicKey({ key: Buffer.from(publicKey, 'base64'), format: 'der', type: 'spki' })
    return key.asymmetricKeyType === 'ed25519' && verify(null, bytesOf(list), key, signature)
  } catch {
    return false
  }
}

type Unknown = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0

const isFile = (value: unknown): value is ReleaseFile =>
  isObject(value) &&
  typeof value.name === 'string' &&
  /^[\w.-]{1,120}$/.test(value.name) &&
  isCount(value.size) &&
  typeof value.sha256 === 'string' &&
  /^[0-9a-f]{64}$/.test(value.sha256)

const isBuild = (value: unknown): value is ReleaseBuild =>
  isObject(value) &&
  isFile(value.contents) &&
  isFile(value.archive) &&
  isCount(value.unpacked) &&
  typeof value.migration === 'string'

const isRelease = (value: unknown): value is Release =>
  isObject(value) &&
  typeof value.version === 'string' &&
  isVersion(value.version) &&
  releaseShares.some((share) => share === value.share) &&
  typeof value.minimum === 'string' &&
  isVersion(value.minimum) &&
  isCount(value.node) &&
  isObject(value.builds) &&
  Object.values(value.builds).every(isBuild)

const isList = (value: unknown): value is ReleaseList =>
  isObject(value) &&
  value.format === 1 &&
  isCount(value.sequence) &&
  [value.issued, value.expires].every((at) => typeof at === 'string' && !Number.isNaN(Date.parse(at))) &&
  Array.isArray(value.releases) &&
  value.releases.every(isRelease)

/** A list that one of the keys has signed, or null for any other text. The keys are DER in base64. */
export function readSignedList(text: string, publicKeys: readonly string[]): ReleaseList | null {
  let signed: unknown
  try {
    signed = JSON.parse(text)
  } catch {
    return null
  }
  if (!isObject(signed) || typeof signed.signature !== 'string') return null
  const { list } = signed
  const signature = Buffer.from(signed.signature, 'base64')
  if (!publicKeys.some((key) => isSignedBy(list, signature, key))) return null
  return isList(list) ? list : null
}
