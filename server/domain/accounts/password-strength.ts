import { dictionary } from '@zxcvbn-ts/language-common'

/** The fewest and the most characters of a password. The most keeps hashing from being made to work long. */
export const shortestPassword = 8
const longestPassword = 512

/** Why a password is not taken: a word that the page has a sentence for. */
export type PasswordProblem = 'short' | 'long' | 'common' | 'personal' | 'pattern'

/** What is guessed here first and is in no list of stolen passwords: words of the product, and walks along German keys. */
const context =
  'aaaaaa abc abcd gatehouse hallowelt login qwer qwertz qwertzu qwertzuiop superuser willkommen zaq zxcvb'

/** The passwords that were seen most often where passwords were stolen, and the words that they are made of. */
const guessed = new Set([
  ...context.split(' '),
  ...dictionary['passwords-common'].filter((word) => word.length >= 4),
])

const disguises: Readonly<Record<string, string>> = {
  '@': 'a',
  '4': 'a',
  '3': 'e',
  '1': 'i',
  '!': 'i',
  '0': 'o',
  $: 's',
  '5': 's',
  '7': 't',
}

const rows = [
  'abcdefghijklmnopqrstuvwxyz',
  '01234567890',
  'qwertyuiop',
  'qwertzuiop',
  'asdfghjkl',
  'zxcvbnm',
  'yxcvbnm',
]
const walks = rows.flatMap((row) => [row, [...row].reverse().join('')])

/** Whether a text is a few signs over and over, or one walk along the alphabet, the digits or a row of keys. */
function isPattern(text: string): boolean {
  if (new Set(text).size <= 3) return true
  if (/^(.{1,4})\1+$/u.test(text)) return true
  if (/^\d{8}$/.test(text) && /^(19|20)\d\d|(19|20)\d\d$/.test(text)) return true
  return walks.some((walk) => (walk + walk).includes(text))
}

/** What a password is at its heart: without its digits and signs at both ends, and with letters for signs that look like them. */
function heartsOf(lower: string): string[] {
  const bare = lower.replace(/^[^a-z]+|[^a-z]+$/g, '')
  const shown = [...lower.replace(/[^a-z@$!\d]+$|^[^a-z@$!\d]+/g, '')]
    .map((sign) => disguises[sign] ?? sign)
    .join('')
  const inner = [...lower.replace(/[\d\W_]{1,4}$/, '')].map((sign) => disguises[sign] ?? sign).join('')
  return [lower, bare, shown, inner, bare.replace(/[^a-z]/g, '')]
}

/**
 * Why a new password is not taken, or null. Nothing is asked of its signs; it must be long enough and none of those that
 * are guessed first: common words and passwords, walks along the keys, and what is known of the person.
 */
export function passwordProblem(password: string, known: readonly string[] = []): PasswordProblem | null {
  const text = password.normalize('NFKC')
  const length = [...text].length
  if (length < shortestPassword) return 'short'
  if (length > longestPassword) return 'long'
  const lower = text.toLowerCase()
  if (isPattern(lower)) return 'pattern'
  const hearts = heartsOf(lower)
  if (hearts.some((heart) => heart.length > 3 && isPattern(heart))) return 'common'
  const own = known
    .flatMap((word) => [word, ...word.split(/[@.\s_-]+/)])
    .map((word) => word.toLowerCase())
    .filter((word) => word.length >= 4)
  if (hearts.some((heart) => own.includes(heart))) return 'personal'
  return hearts.some((heart) => guessed.has(heart)) ? 'common' : null
}
