import { useEffect } from 'preact/hooks'
import { useApp } from '../parts/context.ts'
import { Tool } from '../parts/tool.tsx'
import { isLocked } from '../staff/staff-desk.ts'
import { StaffDialog } from './staff-dialog.tsx'

/** Who works at this station; a press has somebody else sign in. */
export function StaffAtWork() {
  const { staff, voice } = useApp()
  const { session } = staff.state.value
  if (!session || session.choices.length === 0) return null
  return <Tool icon="person" label={session.staff?.name ?? voice.t('staff.nobody')} onPress={staff.change} />
}

/** Asks who somebody is where that is asked; where it locks, also as long as nobody has signed in. */
export function StaffQuestions({ locks }: { readonly locks: boolean }) {
  const { staff } = useApp()
  const { question } = staff.state.value
  const locked = locks && isLocked(staff.state.value)
  useEffect(() => void staff.refresh(), [staff])
  if (!question && !locked) return null
  const asked = question ?? { kind: 'sign-in' as const }
  return <StaffDialog key={asked.kind} staff={staff} question={asked} isLocked={locked} />
}

/** Milliseconds without a touch or a key after which whoever works here is signed out. */
const idleAfter = 5 * 60_000

/** Signs out whoever has left the station; what they were at stays. */
export function useIdleLock(): void {
  const { staff } = useApp()
  useEffect(() => {
    let timer = setTimeout(() => undefined, 0)
    const rest = () => {
      clearTimeout(timer)
      timer = setTimeout(() => void staff.lock(), idleAfter)
    }
    rest()
    window.addEventListener('pointerdown', rest)
    window.addEventListener('keydown', rest)
    return () => {
      clearTimeout(timer)
      window.removeEventListener('pointerdown', rest)
      window.removeEventListener('keydown', rest)
    }
  }, [staff])
}
