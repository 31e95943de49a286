import { hash } from 'node:crypto'

/** Letters of the codes that people and machines read. */
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
