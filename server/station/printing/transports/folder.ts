import { access, constants, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { profileNamed } from '../../../../schema/bodies/printer-profiles.ts'
import type { Transport } from './transport.ts'

const endings = { pdf: 'pdf', escpos: 'escpos', zpl: 'zpl', epl: 'epl' } as const

const isWritable = (folder: string): Promise<boolean> =>
  access(folder, constants.W_OK).then(
    () => true,
    () => false,
  )

/** A folder that another program prints from, or that keeps what would be printed: a file for each job. */
export const folderTransport: Transport = {
  look: async (_, { address }) => ((await isWritable(address)) ? null : 'unreachable'),
  async print(_, { address, profile }, printout) {
    if (!(await isWritable(address))) return { kind: 'unsent', reason: 'unreachable' }
    const bytes = await printout.commands()
    if (!(await printout.begin())) return { kind: 'withdrawn' }
    const file = join(address, `${printout.name}.${endings[profileNamed(profile).dialect]}`)
    // Whoever watches the folder sees the file once it is whole.
    const partial = `${file}.part`
    try {
      await writeFile(partial, bytes)
      await rename(partial, file)
      return { kind: 'sent' }
    } catch {
      await rm(partial, { force: true })
      return { kind: 'unknown', reason: 'broken-off' }
    }
  },
}
