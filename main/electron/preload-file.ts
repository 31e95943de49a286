import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'

/**
 * Gives the preload script as a file that a window can load. A packaged program has it compiled; from sources
 * its types are removed first, because the sandbox reads a preload without Node's help.
 */
export function preloadFile(outputFolder: string): string {
  const compiled = join(import.meta.dirname, 'preload.cjs')
  if (existsSync(compiled)) return compiled
  const source = readFileSync(join(import.meta.dirname, 'preload.cts'), 'utf8')
  const output = join(outputFolder, 'preload.cjs')
  mkdirSync(outputFolder, { recursive: true, mode: 0o700 })
  writeFileSync(output, stripTypeScriptTypes(source), { mode: 0o600 })
  return output
}
