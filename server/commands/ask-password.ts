import {
  type PasswordProblem,
  passwordProblem,
  shortestPassword,
} from '../domain/accounts/password-strength.ts'
import { impossible } from '../errors.ts'
import { printNotice } from './options.ts'

const sentences: Readonly<Record<PasswordProblem, string>> = {
  short: `A password needs at least ${shortestPassword} characters.`,
  long: 'A password has at most 512 characters.',
  common: 'This is one of the passwords that are guessed first.',
  personal: 'This is much like the address, which others know.',
  pattern: 'This is a simple pattern, which is guessed quickly.',
}

/** What somebody types up to Return, a backspace taken into account; undefined when they give up with Ctrl-C. */
export async function typedSecret(keys: AsyncIterable<unknown>): Promise<string | undefined> {
  const typed: string[] = []
  for await (const part of keys)
    for (const key of String(part)) {
      if (key === '\u0003') return undefined
      if (key === '\r' || key === '\n') return typed.join('')
      if (key === '\u007f' || key === '\b') typed.pop()
      else typed.push(key)
    }
  return typed.join('')
}

/** Asks for a password without showing it, or reads the first line of a pipe. */
async function askPassword(): Promise<string> {
  const { stdin } = process
  stdin.setEncoding('utf8')
  if (!stdin.isTTY) return (await typedSecret(stdin)) ?? ''
  process.stderr.write('Password: ')
  stdin.setRawMode(true)
  const typed = await typedSecret(stdin)
  stdin.setRawMode(false)
  printNotice('')
  if (typed === undefined) process.exit(130)
  return typed
}

/** The password for somebody: the one given, or one that is asked for. Refuses one that is too easily guessed. */
export async function passwordFor(given: string | undefined, email: string): Promise<string> {
  const password = given ?? (await askPassword())
  const problem = passwordProblem(password, [email])
  if (problem) throw impossible(sentences[problem])
  return password
}
