import { readFileSync } from 'node:fs'
import { impossible } from '../errors.ts'

/**
 * A secret of the environment: in the variable of that name, or in the file that the variable with `_FILE` behind it
 * names, where other programs of the machine do not see it. Undefined where neither is set; throws where the file cannot
 * be read, holds nothing, or both are set.
 */
export function secretOf(name: string, env: NodeJS.ProcessEnv = process.env): string | undefined {
  const file = env[`${name}_FILE`]
  if (file === undefined || file === '') return env[name]
  if (env[name]) throw impossible(`Set ${name} or ${name}_FILE, not both.`)
  let text: string
  try {
    text = readFileSync(file, 'utf8').trim()
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    throw impossible(`The file ${file}, which ${name}_FILE names, cannot be read (${code ?? 'unknown'}).`)
  }
  if (text === '') throw impossible(`The file ${file}, which ${name}_FILE names, is empty.`)
  return text
}
