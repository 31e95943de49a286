import { readFileSync } from 'node:fs'
import { impossible } from '../errors.ts'

/** What stands in a file that somebody named; throws a sentence where it cannot be read, which `how` completes. */
export function textOf(file: string, how = ''): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    throw impossible(`The file ${file}${how} cannot be read (${code ?? 'unknown'}).`)
  }
}

/**
 * A secret of the environment: in the variable of that name, or in the file that the variable with `_FILE` behind it
 * names, where other programs of the machine do not see it. Undefined where neither is set; throws where the file cannot
 * be read, holds nothing, or both are set.
 */
export function secretOf(name: string, env: NodeJS.ProcessEnv = process.env): string | undefined {
  const file = env[`${name}_FILE`]
  if (file === undefined || file === '') return env[name]
  if (env[name]) throw impossible(`Set ${name} or ${name}_FILE, not both.`)
  const text = textOf(file, `, which ${name}_FILE names,`).trim()
  if (text === '') throw impossible(`The file ${file}, which ${name}_FILE names, is empty.`)
  return text
}
