import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { DemoProgress } from '../../schema/bodies/station-state.ts'
import type { Language } from '../../schema/texts/translate.ts'
import type { ApiClient } from '../api/requests.ts'
import type { Actions } from '../scanning/actions.ts'
import type { Desk } from '../scanning/desk.ts'
import type { Check } from '../scanning/intake.ts'
import type { Voice } from '../scanning/wording.ts'
import type { StaffDesk } from '../staff/staff-desk.ts'
import type { StationConnection } from '../upstream/connection.ts'

/** What every part of the entrance screen works with. */
interface AppParts {
  readonly desk: Desk
  readonly api: ApiClient
  readonly voice: Voice
  readonly language: Language
  readonly actions: Actions
  readonly connection: StationConnection
  /** How far the demo event has come, as far as the server has reported by itself. */
  readonly demo: DemoProgress | null
  readonly check: Check
  /** Those who work at this station. */
  readonly staff: StaffDesk
}

/** Hands the surroundings down. */
export const AppContext = createContext<AppParts | null>(null)

/** The surroundings of a part. */
export function useApp(): AppParts {
  const around = useContext(AppContext)
  if (!around) throw new Error('outside of the entrance screen')
  return around
}
