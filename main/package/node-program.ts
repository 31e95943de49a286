import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Target } from './program-tree.ts'

/**
 * The program of Node for a kind of machine: this one's own, or the one that npm has for it, in the version that runs
 * now. Throws a sentence where npm has none or cannot be reached.
 */
export function nodeProgram({ platform, arch }: Target, output: string): string {
  if (platform === process.platform && arch === process.arch) return process.execPath
  const name = `node-${platform}-${arch}@${process.versions.node}`
  const folder = join(output, name.replace('@', '-'))
  const program = join(folder, 'package', 'bin', 'node')
  if (existsSync(program)) return program
  mkdirSync(folder, { recursive: true })
  try {
    const packed = execFileSync('npm', ['pack', name, '--silent', '--pack-destination', folder], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    execFileSync('tar', ['-xzf', join(folder, packed.trim()), '-C', folder], { stdio: 'pipe' })
  } catch (error) {
    const why = error instanceof Error ? error.message.trim() : String(error)
    throw new Error(
      `Node for ${platform} ${arch} could not be had (${why}). Connect to the internet and try again.`,
    )
  }
  return program
}
