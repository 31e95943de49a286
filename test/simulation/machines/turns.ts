import type { Disk } from './disk.ts'
import type { Boot } from './machine.ts'

let inTurn: Boot | null = null
let disk: Disk | null = null

/** Says which program's turn it is: what happens until the next event is its doing. */
export function giveTurn(boot: Boot | null): void {
  inTurn = boot
  disk = boot?.machine.disk ?? null
}

/** Has databases be opened on a disk that is in no machine. */
export function useDisk(alone: Disk): void {
  inTurn = null
  disk = alone
}

/** The program whose turn it is. */
export function programInTurn(): Boot {
  if (!inTurn) throw new Error('Something happened in a program although no program had its turn.')
  return inTurn
}

/** The disk on which databases are opened now. */
export function diskInUse(): Disk {
  if (!disk) throw new Error('A database was opened while no machine had its turn.')
  return disk
}
