import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Mutant } from './mutants.ts'

const script = fileURLToPath(new URL('./simulate.ts', import.meta.url))

/** How soon a planted fault was found, and by what. */
export interface Hunted {
  readonly name: string
  /** How many seeds it took, or null where none of them was enough. */
  readonly seeds: number | null
  readonly seconds: number
  readonly wrong: string
}

/** Looks for a planted fault in a process of its own. */
export async function huntOne({ name }: Mutant, most: number): Promise<Hunted> {
  const child = spawn(process.execPath, [script, '--json', '--mutant', name, '--seeds', String(most)], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let text = ''
  let errors = ''
  child.stdout.setEncoding('utf8').on('data', (part: string) => {
    text += part
  })
  child.stderr.setEncoding('utf8').on('data', (part: string) => {
    errors += part
  })
  const began = performance.now()
  await once(child, 'close')
  const seconds = (performance.now() - began) / 1000
  if (text === '') throw new Error(`${name}: ${errors.slice(0, 2000)}`)
  const { runs, failed } = JSON.parse(text)
  const [first] = failed
  return { name, seeds: first ? runs : null, seconds, wrong: first ? String(first.wrongs[0]) : '' }
}

/** Plants faults one after the other; whether each was found. */
export async function hunt(
  planted: readonly Mutant[],
  most: number,
  say: (text: string) => void,
): Promise<boolean> {
  let isFine = true
  for (const mutant of planted) {
    const { name, seeds, seconds, wrong } = await huntOne(mutant, most)
    const found =
      seeds === null ? `NOT FOUND in ${most} seeds` : `found after ${seeds} seeds: ${wrong.slice(0, 140)}`
    say(`${name}: ${found} (${seconds.toFixed(0)} s)`)
    if (seeds === null) isFine = false
  }
  return isFine
}
