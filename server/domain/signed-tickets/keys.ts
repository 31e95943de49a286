import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto'

// Ed25519 has no chance in it: the same bytes and key give the same signature, so this is as pure as arithmetic.

/** How long an Ed25519 signature is. */
export const signatureBytes = 64

/** How many bytes of chance a key is made from. */
export const seedBytes = 32

/** What comes before the seed in the PKCS #8 form of an Ed25519 key, RFC 8410 section 7. */
const privateKeyHead = Buffer.from('302e020100300506032b657004220420', 'hex')

/** Both keys of a pair, each as base64 of a PEM. */
interface KeyPair {
  readonly publicKey: string
  readonly privateKey: string
}

const toText = (pem: string | Buffer): string => Buffer.from(String(pem)).toString('base64')

/** The pair that belongs to 32 bytes of chance. */
export function keyPairFrom(seed: Uint8Array): KeyPair {
  const key = createPrivateKey({
    key: Buffer.concat([privateKeyHead, seed]),
    format: 'der',
    type: 'pkcs8',
  })
  return {
    publicKey: toText(createPublicKey(key).export({ format: 'pem', type: 'spki' })),
    privateKey: toText(key.export({ format: 'pem', type: 'pkcs8' })),
  }
}

/** The public key in a base64 of a PEM; undefined for anything but one Ed25519 key. */
export function readPublicKey(text: string): KeyObject | undefined {
  try {
    const key = createPublicKey(Buffer.from(text, 'base64').toString())
    return key.asymmetricKeyType === 'ed25519' ? key : undefined
  } catch {
    return undefined
  }
}

/** The private key in a base64 of a PEM, which is one of ours; throws for anything else. */
export const readPrivateKey = (text: string): KeyObject =>
  createPrivateKey(Buffer.from(text, 'base64').toString())

/** The signature of some bytes. */
export const signatureOf = (bytes: Uint8Array, key: KeyObject): Uint8Array => sign(null, bytes, key)

/** Whether a signature is that of some bytes by the owner of a public key. */
export const isSignedBy = (bytes: Uint8Array, signature: Uint8Array, key: KeyObject): boolean =>
  signature.length === signatureBytes && verify(null, bytes, key, signature)
