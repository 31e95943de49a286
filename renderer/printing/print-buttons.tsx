import { useSignal } from '@preact/signals'
import { type EarlierPrint, type GuestDocument, guestDocuments } from '../../schema/bodies/print-jobs.ts'
import { earlierIn, openPrintsApi } from '../api/prints-api.ts'
import { Button } from '../parts/button.tsx'
import { useApp } from '../parts/context.ts'
import { formatMoment } from '../text/format.ts'
import style from './print-buttons.module.css'
import { printKey } from './prints-here.ts'

const api = openPrintsApi()

interface Props {
  /** The id of the position that something is printed for. */
  readonly position: number
  /** Whose it is, for those who hear the buttons. */
  readonly name: string
  readonly quiet?: boolean
}

/** Something is printed that was before: when and where. */
interface Asked {
  readonly document: GuestDocument
  readonly earlier: EarlierPrint
}

/** Prints what comes with a ticket at this station's printers; what was printed before, only once more if somebody says so. */
export function PrintButtons({ position, name, quiet = false }: Props) {
  const { desk, voice, language, staff } = useApp()
  const { t, timeZone } = voice
  const said = useSignal('')
  const asked = useSignal<Asked | null>(null)
  const isBusy = useSignal(false)
  const printers = desk.state.value.station?.settings?.printers ?? []
  const here = guestDocuments.filter((one) => printers.some(({ documents }) => documents.includes(one)))
  if (here.length === 0) return null

  const print = async (document: GuestDocument, again: boolean) => {
    isBusy.value = true
    const wanted = { document, subject: position, again, locale: language }
    const key = printKey()
    const answer = await staff.permitted('reprint', (stepUp) => api.print(wanted, { key, stepUp }))
    isBusy.value = false
    const earlier = answer.ok ? null : earlierIn(answer.problem)
    asked.value = earlier && { document, earlier }
    said.value = answer.ok ? t('printer.sent') : earlier ? '' : answer.problem.detail || t('printer.failed')
  }
  const question = asked.value
  return (
    <div class={style.prints}>
      {question ? (
        <>
          <p role="alert">
            {t('printer.before', {
              when: formatMoment(question.earlier.datetime, new Date().toISOString(), timeZone, language),
              where: question.earlier.device ?? '',
            })}
          </p>
          <Button disabled={isBusy.value} onPress={() => void print(question.document, true)}>
            {t('printer.again')}
          </Button>
          <Button
            kind="quiet"
            onPress={() => {
              asked.value = null
            }}
          >
            {t('printer.not-again')}
          </Button>
        </>
      ) : (
        here.map((document) => (
          <Button
            key={document}
            kind={quiet ? 'quiet' : 'plain'}
            data-prints={document}
            disabled={isBusy.value}
            label={`${t(`printer.print.${document}`)}: ${name}`}
            onPress={() => void print(document, false)}
          >
            {t(`printer.print.${document}`)}
          </Button>
        ))
      )}
      <p role="status">{said.value}</p>
    </div>
  )
}
