import { useEffect } from 'preact/hooks'
import { Tool } from '../../parts/tool.tsx'
import { useTill } from '../context.ts'
import { isLocked } from './staff-desk.ts'
import { StaffDialog } from './staff-dialog.tsx'

/** Who works at this till; a press has somebody else sign in. */
export function StaffAtWork() {
  const { till, t } = useTill()
  const { session } = till.staff.state.value
  if (!session || session.choices.length === 0) return null
  return <Tool icon="person" label={session.staff?.name ?? t('staff.nobody')} onPress={till.staff.change} />
}

/** Asks who somebody is, where that is asked, or where nobody has signed in yet. */
export function StaffQuestions() {
  const { till } = useTill()
  const { staff } = till
  const { question } = staff.state.value
  const locked = isLocked(staff.state.value)
  useEffect(() => void staff.refresh(), [staff])
  if (!question && !locked) return null
  const asked = question ?? { kind: 'sign-in' as const }
  return <StaffDialog key={asked.kind} staff={staff} question={asked} isLocked={locked} />
}

/** Milliseconds without a touch or a key after which whoever works here is signed out. */
const idleAfter = 5 * 60_000

/** Signs out whoever has left the till; what is in the basket stays. */
export function useIdleLock(): void {
  const { till } = useTill()
  useEffect(() => {
    let timer = setTimeout(() => undefined, 0)
    const rest = () => {
      clearTimeout(timer)
      timer = setTimeout(() => void till.staff.lock(), idleAfter)
    }
    rest()
    window.addEventListener('pointerdown', rest)
    window.addEventListener('keydown', rest)
    return () => {
      clearTimeout(timer)
      window.removeEventListener('pointerdown', rest)
      window.removeEventListener('keydown', rest)
    }
  }, [till])
}
