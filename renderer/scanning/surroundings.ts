import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { Language } from '../../schema/texts/translate.ts'
import type { Api } from '../api.ts'
import type { DemoProgress } from '../contract.ts'
import type { Actions } from '../entrance/actions.ts'
import type { Desk } from '../entrance/desk.ts'
import type { Voice } from '../entrance/wording.ts'
import type { Connection } from '../station/connection.ts'
import type { Check } from './intake.ts'

/** What every part of the entrance screen works with. */
export interface Surroundings {
  readonly desk: Desk
  readonly api: Api
  readonly voice: Voice
  readonly language: Language
  readonly actions: Actions
  readonly connection: Connection
  /** How far the demo event has come, as far as the server has told by itself. */
  readonly demo: DemoProgress | null
  readonly check: Check
}

/** Hands the surroundings down. */
export const Around = createContext<Surroundings | null>(null)

/** The surroundings of a part. */
export function useAround(): Surroundings {
  const around = useContext(Around)
  if (!around) throw new Error('outside of the entrance screen')
  return around
}
