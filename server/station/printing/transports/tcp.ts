import { machineAt } from '../../../domain/printers/printer-address.ts'
import { lineTransport } from './line-transport.ts'

/** Printers in the network that take what they print at a port of their own, mostly 9100. */
export const tcpTransport = lineTransport((env, { address }) => {
  const machine = machineAt(address)
  return machine && ((events) => env.connect(machine.host, machine.port, events))
})
