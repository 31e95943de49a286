import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { ShownPrinter } from '../../schema/bodies/print-jobs.ts'
import { openPrintsApi } from '../api/prints-api.ts'
import { Button } from '../parts/button.tsx'
import { useApp } from '../parts/context.ts'
import { Icon } from '../parts/icon.tsx'
import { Aside, Box } from './box.tsx'
import style from './printer-list.module.css'

const api = openPrintsApi()

/** How the printers of this station are, asked when this is opened. */
export function PrinterList() {
  const { desk, voice } = useApp()
  const { t } = voice
  const printers = useSignal<readonly ShownPrinter[] | null>(null)
  const objection = useSignal('')
  const look = async () => {
    printers.value = null
    objection.value = ''
    const answer = await api.printers()
    printers.value = answer.ok ? answer.value.results : []
    if (!answer.ok) objection.value = answer.problem.detail || t('printer.failed')
  }
  useEffect(() => void look(), [])
  const set = desk.state.value.station?.settings?.printers ?? []
  if (set.length === 0) return null
  return (
    <Box title={t('printer.title')}>
      {printers.value === null ? (
        <Aside>{t('printer.looking')}</Aside>
      ) : (
        <ul class={style.printers}>
          {printers.value.map(({ way, address, documents, trouble }) => (
            <li key={`${way} ${address}`} data-printer={address} data-ok={trouble === null}>
              <Icon name={trouble === null ? 'check' : 'warn'} />
              <span>
                <strong>{address}</strong>
                <small>
                  {documents.map((one) => t(`setup.printer-document.${one}`)).join(', ')}
                  {documents.length > 0 && ' · '}
                  {trouble === null ? t('printer.ready') : t(`printer.reason.${trouble}`)}
                </small>
              </span>
            </li>
          ))}
        </ul>
      )}
      {objection.value !== '' && <Aside>{objection.value}</Aside>}
      <Button icon="turn" onPress={() => void look()}>
        {t('printer.look')}
      </Button>
    </Box>
  )
}
