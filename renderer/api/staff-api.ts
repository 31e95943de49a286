import type { StaffRight, StaffRole } from '../../schema/staff-rights.ts'
import { type ApiAnswer, patience, request } from './requests.ts'

/** Somebody who works at stations. */
export interface StaffMember {
  readonly id: number
  readonly name: string
  readonly role: StaffRole
}

/** Who has signed in at this station, and who can. */
export interface StaffSession {
  readonly staff: StaffMember | null
  readonly choices: readonly StaffMember[]
}

/** How somebody shows who they are: by name and PIN, or by a badge. */
export type StaffCodes = { readonly staff: number; readonly pin: string } | { readonly badge: string }

/** What somebody stands in for, and why. */
export interface StepUpWish {
  readonly act: StaffRight
  readonly reason: string
}

/** The requests about those who work at this station, for an organizer by its slug. */
export interface StaffApi {
  session(organizer: string): Promise<ApiAnswer<StaffSession>>
  signIn(organizer: string, codes: StaffCodes): Promise<ApiAnswer<StaffSession>>
  signOut(organizer: string): Promise<ApiAnswer<unknown>>
  /** What one act is asked for with, once. */
  stepUp(organizer: string, wish: StaffCodes & StepUpWish): Promise<ApiAnswer<{ readonly token: string }>>
}

/** The requests against a server at `base` (empty for the page's own). */
export function openStaffApi(base = ''): StaffApi {
  const address = (organizer: string, what: string): string =>
    `${base}/api/v1/organizers/${encodeURIComponent(organizer)}/pos/${what}/`
  const post = <T>(organizer: string, what: string, body: object) =>
    request<T>(
      address(organizer, what),
      { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) },
      patience.other,
    )
  return {
    session: (organizer) => request(address(organizer, 'session'), {}, patience.other),
    signIn: (organizer, codes) => post(organizer, 'sign_in', codes),
    signOut: (organizer) => post(organizer, 'sign_out', {}),
    stepUp: (organizer, wish) => post(organizer, 'step_up', wish),
  }
}
