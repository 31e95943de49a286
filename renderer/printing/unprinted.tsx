import { useEffect } from 'preact/hooks'
import type { ShownPrintJob } from '../../schema/bodies/print-jobs.ts'
import { useApp } from '../parts/context.ts'
import { printsHere } from './prints-here.ts'
import { UnprintedList } from './unprinted-list.tsx'

/** What the printers of an entrance have not printed, or may not have. */
export function UnprintedHere() {
  const { language } = useApp()
  useEffect(() => void printsHere.refresh(), [])
  const printAgain = async (job: ShownPrintJob) => {
    await printsHere.decide(job.id, false)
    await printsHere.again(job, language)
  }
  return (
    <UnprintedList
      jobs={printsHere.jobs.value}
      onDecide={({ id }, printed) => void printsHere.decide(id, printed)}
      onWithoutBackground={(job) => void printsHere.withoutBackground(job)}
      onAgain={(job) => void printAgain(job)}
    />
  )
}
