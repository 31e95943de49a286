import { profileNamed } from '../../../../schema/bodies/printer-profiles.ts'
import { drawerPulse } from '../../../domain/printers/escpos.ts'
import type { PrinterTrouble, RunProgram, Transport } from './transport.ts'
import { spoolerArguments } from './windows-script.ts'

/** Milliseconds within which PowerShell is through: it starts slowly. */
const lookWithin = 10_000
const printWithin = 30_000

const troubles = ['paper', 'open', 'offline', 'unfit'] as const satisfies readonly PrinterTrouble[]

/** What PowerShell says of a queue: its last word. */
async function spooler(run: RunProgram, queue: string, input: Uint8Array): Promise<string> {
  const within = input.length === 0 ? lookWithin : printWithin
  const { code, output } = await run('powershell.exe', spoolerArguments(queue), { input, within })
  return code === 0 ? (output.trim().split(/\s+/).at(-1) ?? '') : ''
}

const troubleNamed = (word: string): PrinterTrouble | undefined => troubles.find((one) => one === word)

/** Printers of Windows, which are sent what they print as it is. What came out, the spooler does not learn. */
export const windowsTransport: Transport = {
  async look({ run }, { address }) {
    const word = await spooler(run, address, new Uint8Array())
    return word === 'ready' ? null : (troubleNamed(word) ?? 'unreachable')
  },
  async print({ run }, { address, profile, drawer }, printout) {
    const { drawerPin } = profileNamed(profile)
    const before = await spooler(run, address, new Uint8Array())
    if (drawer && drawerPin !== null && before === 'ready' && (await printout.pulse()))
      await spooler(run, address, drawerPulse(drawerPin))
    if (before !== 'ready') return { kind: 'unsent', reason: troubleNamed(before) ?? 'unreachable' }
    const bytes = await printout.commands()
    if (!(await printout.begin())) return { kind: 'withdrawn' }
    const word = await spooler(run, address, bytes)
    if (word === 'sent') return { kind: 'sent' }
    return { kind: 'unknown', reason: troubleNamed(word) ?? 'broken-off' }
  },
}
