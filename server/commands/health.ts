import type { Command } from 'commander'
import { realEnv } from '../env.ts'
import { printNotice, serverAddress } from './options.ts'

/** Milliseconds within which a server that is well has answered. */
const answersWithin = 4000

/** Adds the command that asks a running server whether it can do its work; it ends with 1 where it cannot. */
export function addHealth(program: Command): void {
  program
    .command('health')
    .description(
      'Ask a running server whether it can do its work, as containers do; ends with 1 where it cannot.',
    )
    .option('--server <address>', 'where it listens', serverAddress, 'http://127.0.0.1:8000')
    .action(async ({ server }: { server: string }) => {
      const trouble = await troubleOf(server)
      printNotice(trouble ?? `${server} is well.`)
      if (trouble !== null) process.exitCode = 1
    })
}

/** What keeps a server from its work, as a sentence; null for nothing. */
async function troubleOf(server: string): Promise<string | null> {
  try {
    const answer = await realEnv.fetch(`${server}/readyz`, { signal: AbortSignal.timeout(answersWithin) })
    const said = (await answer.text()).trim()
    return answer.ok ? null : `${server} cannot do its work (${answer.status}): ${said}`
  } catch {
    return `${server} does not answer. Start it, or name its address with --server.`
  }
}
