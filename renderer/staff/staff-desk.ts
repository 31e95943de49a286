import { type ReadonlySignal, type Signal, signal } from '@preact/signals'
import type { StaffRight } from '../../schema/staff-rights.ts'
import type { ApiAnswer } from '../api/requests.ts'
import type { StaffApi, StaffCodes, StaffSession } from '../api/staff-api.ts'

/** What is asked of somebody: to sign in, or to stand in for one act of another. */
export type StaffQuestion =
  | { readonly kind: 'sign-in' }
  | { readonly kind: 'step-up'; readonly act: StaffRight }

/** Who works at this station, as its screen knows it. */
export interface StaffState {
  /** Null while nobody has said. */
  readonly session: StaffSession | null
  readonly question: StaffQuestion | null
  /** Why the last try was not right, in the server's words. */
  readonly trouble: string
}

/** Those who work at this station. */
export interface StaffDesk {
  readonly state: ReadonlySignal<StaffState>
  /** Why somebody stands in, as it is being typed. */
  readonly reason: Signal<string>
  /** Asks who has signed in. */
  readonly refresh: () => Promise<void>
  /** Has somebody else sign in; what is in the basket stays. */
  readonly change: () => void
  /** Signs out whoever has signed in. */
  readonly lock: () => Promise<void>
  /** Shows who somebody is, as it was asked. */
  readonly show: (codes: StaffCodes) => Promise<void>
  /** Gives the question up. */
  readonly giveUp: () => void
  /** Takes a code that was scanned for a badge, while somebody is asked who they are. */
  readonly scanned: (code: string) => boolean
  /**
   * Does what needs a right. Where the server asks for somebody to sign in or to stand in, they are asked for, and it is
   * done once more; `work` gets what the supervisor was given, or nothing.
   */
  readonly permitted: <T>(
    act: StaffRight,
    work: (stepUp: string) => Promise<ApiAnswer<T>>,
  ) => Promise<ApiAnswer<T>>
}

/** Whether somebody has to sign in before anything is sold here. */
export const isLocked = ({ session }: StaffState): boolean =>
  session !== null && session.staff === null && session.choices.length > 0

/** A question that is open, and who waits for its answer: with what was given for it, or null where it was given up. */
function openQuestions(state: Signal<StaffState>, reason: Signal<string>) {
  let waiting: ((given: string | null) => void) | null = null
  function answered(given: string | null): void {
    const then = waiting
    waiting = null
    state.value = { ...state.value, question: null, trouble: '' }
    then?.(given)
  }
  function asked(question: StaffQuestion): Promise<string | null> {
    answered(null)
    reason.value = ''
    state.value = { ...state.value, question, trouble: '' }
    return new Promise((resolve) => {
      waiting = resolve
    })
  }
  return { asked, answered }
}

/** Opens the desk of those who work at this station; `organizer` is the slug of its organizer. */
export function openStaffDesk(api: StaffApi, organizer: () => string | null): StaffDesk {
  const state = signal<StaffState>({ session: null, question: null, trouble: '' })
  const reason = signal('')
  const { asked, answered } = openQuestions(state, reason)
  const set = (more: Partial<StaffState>): void => {
    state.value = { ...state.value, ...more }
  }

  async function refresh(): Promise<void> {
    const slug = organizer()
    const answer = slug === null ? null : await api.session(slug)
    if (answer?.ok) set({ session: answer.value })
  }

  async function show(codes: StaffCodes): Promise<void> {
    const slug = organizer()
    if (slug === null) return
    const { question } = state.value
    if (question?.kind === 'step-up') {
      const answer = await api.stepUp(slug, { ...codes, act: question.act, reason: reason.value.trim() })
      return answer.ok ? answered(answer.value.token) : set({ trouble: answer.problem.detail })
    }
    const answer = await api.signIn(slug, codes)
    if (!answer.ok) return set({ trouble: answer.problem.detail })
    set({ session: answer.value })
    answered('')
  }

  async function lock(): Promise<void> {
    const slug = organizer()
    if (slug === null || !state.value.session?.staff) return
    const answer = await api.signOut(slug)
    if (answer.ok) set({ session: { ...state.value.session, staff: null } })
  }

  const permitted: StaffDesk['permitted'] = async (act, work) => {
    const first = await work('')
    if (first.ok || first.problem.status !== 403) return first
    if (first.problem.reason === 'sign_in') {
      await refresh()
      return (await asked({ kind: 'sign-in' })) === null ? first : permitted(act, work)
    }
    if (first.problem.reason !== 'step_up') return first
    if (state.value.session === null) await refresh()
    const token = await asked({ kind: 'step-up', act })
    return token === null ? first : work(token)
  }

  return {
    ...{ state, reason, refresh, show, lock, permitted },
    change: () => void asked({ kind: 'sign-in' }),
    giveUp: () => answered(null),
    scanned(code) {
      if (state.value.question === null && !isLocked(state.value)) return false
      void show({ badge: code })
      return true
    },
  }
}
