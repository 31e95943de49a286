import { Button, Buttons } from '../parts/button.tsx'
import { useApp } from '../parts/context.ts'
import { Warning } from '../parts/warning.tsx'
import { Aside, Box } from './box.tsx'
import { ExportLink } from './export-link.tsx'

/** Gives the upstream server up: asked twice, and refused while something waits that nobody has saved. */
export function Disconnect() {
  const { connection, voice } = useApp()
  const { t } = voice
  const { leaving, link } = connection.state.value
  const { exported } = leaving
  const waits = link?.queue ?? 0
  // What stood in the way may have been sent meanwhile.
  const step = leaving.step === 'refused' && waits === 0 ? 'sure' : leaving.step
  const isAsked = step !== 'no'
  return (
    <Box title={t('leave.title')}>
      <Aside>{t('leave.means')}</Aside>
      {step === 'refused' && (
        <Warning bad role="alert">
          <p>
            <strong>{t('leave.refused', { count: waits })}</strong>
          </p>
          <p>{t('leave.refused-next')}</p>
        </Warning>
      )}
      <Buttons>
        {!isAsked && (
          <Button onPress={() => connection.send({ type: 'leaving', step: 'sure' })}>
            {t('leave.start')}
          </Button>
        )}
        {step === 'refused' && <ExportLink />}
        {isAsked && (
          <Button
            kind="primary"
            disabled={step === 'running' || (step === 'refused' && !exported)}
            onPress={() => void connection.leave()}
          >
            {t(step === 'refused' ? 'leave.anyway' : 'leave.sure')}
          </Button>
        )}
        {isAsked && (
          <Button onPress={() => connection.send({ type: 'leaving', step: 'no' })}>{t('leave.stay')}</Button>
        )}
      </Buttons>
    </Box>
  )
}
