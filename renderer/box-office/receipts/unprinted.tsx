import { useEffect } from 'preact/hooks'
import type { ShownPrintJob } from '../../../schema/bodies/print-jobs.ts'
import { openPrintsApi } from '../../api/prints-api.ts'
import { UnprintedList } from '../../printing/unprinted-list.tsx'
import { useTill } from '../context.ts'

const api = openPrintsApi()

/** What the printers of a till have not printed, or may not have. */
export function Unprinted() {
  const { till, state, language } = useTill()
  useEffect(() => {
    void api.list().then((answer) => {
      if (answer.ok) till.send({ type: 'printing', prints: answer.value.results })
    })
  }, [])
  const decide = ({ id }: ShownPrintJob, printed: boolean) =>
    till.act('sell', (_, { stepUp }) => api.decide(id, printed, stepUp))
  const printAgain = async (job: ShownPrintJob) => {
    // What may be on paper counts as printed until somebody says that it is not.
    if (isForGuest(job)) await decide(job, false)
    const answer = await till.act('sell', (_, attempt) => api.print(wantedLike(job, language), attempt))
    if (answer.ok && !isForGuest(job)) await decide(job, false)
  }
  return (
    <UnprintedList
      jobs={state.prints}
      onDecide={(job, printed) => void decide(job, printed)}
      onWithoutBackground={({ id }) => void api.printWithoutBackground(id)}
      onAgain={(job) => void printAgain(job)}
    />
  )
}

const isForGuest = ({ document }: ShownPrintJob): boolean =>
  document === 'ticket' || document === 'badge' || document === 'wristband'

const wantedLike = ({ document, subject }: ShownPrintJob, locale: string) => ({
  ...{ document, locale },
  ...(subject === null ? {} : { subject }),
})
