import { isBefore } from '../../../schema/instants.ts'
import { type StaffRight, type StaffRole, staffRights } from '../../../schema/staff-rights.ts'

/** What of somebody decides where and when they may work. */
export interface StaffFacts {
  readonly active: boolean
  readonly valid_from: string | null
  readonly valid_until: string | null
  readonly all_devices: boolean
  readonly limit_devices: readonly number[]
  readonly limit_gates: readonly number[]
}

/** Where somebody wants to work: the number of a device, and the gate where it stands. */
export interface Workplace {
  readonly device: number
  readonly gate: number | null
}

/** What each role may do by itself. */
const rightsOfRole: Readonly<Record<StaffRole, readonly StaffRight[]>> = {
  steward: [],
  cashier: ['sell', 'close_drawer', 'reports'],
  supervisor: staffRights,
}

/** Whether somebody may do something: by their role, or because it was given to them. */
export const mayDo = (
  { role, rights }: { readonly role: StaffRole; readonly rights: readonly string[] },
  wanted: StaffRight,
): boolean => rightsOfRole[role].includes(wanted) || rights.includes(wanted)

/** Whether somebody may work at a device at a moment. */
export function worksAt(staff: StaffFacts, { device, gate }: Workplace, now: string): boolean {
  const isPlaced =
    staff.all_devices ||
    staff.limit_devices.includes(device) ||
    (gate !== null && staff.limit_gates.includes(gate))
  const hasBegun = staff.valid_from === null || !isBefore(now, staff.valid_from)
  const hasNotEnded = staff.valid_until === null || isBefore(now, staff.valid_until)
  return staff.active && isPlaced && hasBegun && hasNotEnded
}

const freeTries = 5
const firstWait = 30
const longestWait = 3600

/** Seconds until the next try after so many wrong PINs in a row. */
export const waitAfterWrongPins = (wrong: number): number =>
  wrong < freeTries ? 0 : Math.min(longestWait, firstWait * 2 ** Math.min(wrong - freeTries, 16))
