import { alive, at, type KioskEvent, type KioskState, type Stage, type TypedName } from './kiosk-state.ts'

type NameEvent = Extract<
  KioskEvent,
  { readonly type: 'name-opened' | 'name-typed' | 'name-said' | 'print-ordered' }
>
type Naming = Extract<Stage, { readonly name: 'naming' }>

/** The guest has said what their name is, or nothing (null): what comes with their ticket is printed. */
export const saidName = (state: KioskState, { result }: Naming, typed: TypedName | null): KioskState =>
  at(state, { name: 'named', result, typed })

/** The name as the guest sees it: what was typed, else as it is on the ticket. */
export const nameShown = ({ result, typed }: Pick<Naming, 'result' | 'typed'>): string =>
  result.name_parts
    .map(({ part, text }) => (typed?.[part] ?? text).trim())
    .join(' ')
    .trim()

/** The kiosk after something happened while a guest is asked for their name. */
export function nextName(state: KioskState, event: NameEvent): KioskState {
  const { stage } = state
  if (event.type === 'print-ordered') {
    if (stage.name !== 'named') return state
    const name = stage.typed === null ? stage.result.name : nameShown(stage)
    return at(state, { name: 'done', result: { ...stage.result, name }, prints: event.prints })
  }
  if (stage.name !== 'naming') return state
  switch (event.type) {
    case 'name-opened':
      return at(state, { ...stage, typed: {} })
    case 'name-typed':
      return alive({ ...state, stage: { ...stage, typed: { ...stage.typed, [event.part]: event.text } } })
    case 'name-said':
      if (nameShown(stage) === '') return at(state, { ...stage, isTried: true })
      return saidName(state, stage, stage.typed)
    default:
      return event satisfies never
  }
}
