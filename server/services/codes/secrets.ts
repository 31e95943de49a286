import { hash } from 'node:crypto'
import { crc32 } from 'node:zlib'

/** Letters of the codes that users and machines read. */
export const alphabets = {
  orderCode: 'ABCDEFGHJKLMNPQRSTUVWXYZ3789',
  /** Without what is taken for something else when it is read aloud or typed. */
  voucherCode: 'ABCDEFGHKLMNPQRSTUVWXYZ23456789',
  ticketSecret: 'abcdefghjkmnpqrstuvwxyz23456789',
  token: 'abcdefghijklmnopqrstuvwxyz0123456789',
  serial: 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789',
} as const

/** Chance, as a source of bytes. */
export type RandomBytes = (count: number) => Uint8Array

/** A word of random letters, each equally likely: bytes beyond the last whole round of the alphabet are thrown away. */
export function randomWord(randomBytes: RandomBytes, alphabet: string, length: number): string {
  const limit = 256 - (256 % alphabet.length)
  let word = ''
  while (word.length < length) {
    for (const byte of randomBytes(length - word.length + 8)) {
      if (byte >= limit || word.length === length) continue
      word += alphabet[byte % alphabet.length]
    }
  }
  return word
}

/** What is stored of a token instead of the token: its SHA-256, in hexadecimal. Tokens carry over 300 bits of chance. */
export const hashToken = (token: string): string => hash('sha256', token)

/** What tokens of teams begin with, so that people and programs that look for lost secrets know them. */
const teamPrefix = 'gatehouse_team_'

const sumOf = (text: string): string => crc32(text).toString(16).padStart(8, '0')

/** A new token for a team: its kind, 60 random letters, and the CRC-32 of both in hexadecimal. */
export function teamTokenText(randomBytes: RandomBytes): string {
  const text = teamPrefix + randomWord(randomBytes, alphabets.token, 60)
  return text + sumOf(text)
}

/** Whether a text looks like one of our tokens but cannot be one: mistyped or cut, which no database has to be asked. */
export const isBrokenToken = (text: string): boolean =>
  /^gatehouse_(team|access|refresh|client)_/.test(text) && text.slice(-8) !== sumOf(text.slice(0, -8))

/** What applications are given: their own secret, and the tokens that users let them have. */
type ProgramSecret = 'client' | 'access' | 'refresh'

/** Random letters as such a secret, in the form that tokens of teams have. */
export function programSecret(kind: ProgramSecret, letters: string): string {
  const text = `gatehouse_${kind}_${letters}`
  return text + sumOf(text)
}
