import { type Signal, useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { UpdateHindrance, UpdateStatus } from '../../schema/updates/update-status.ts'
import { Button, Buttons } from '../parts/button.tsx'
import { useApp } from '../parts/context.ts'
import { ObjectionText } from '../parts/objection.tsx'
import { PinPad } from '../parts/pin-pad.tsx'
import { ProgressBar } from '../parts/progress.tsx'
import { Warning } from '../parts/warning.tsx'
import type { Voice } from '../scanning/wording.ts'
import { formatMoment } from '../text/format.ts'
import { Aside, Box } from './box.tsx'
import { pinRefusal } from './leave-program.tsx'

type When = 'now' | 'not_today'

const megabyte = 1_000_000

/** What there is to say of an update that is not on its way. */
function restText({ enabled, channel, offered, phase, why, missing }: UpdateStatus, t: Voice['t']): string {
  if (offered && why === 'room')
    return t('update.no-room', { version: offered, count: Math.ceil(missing / megabyte) })
  if (phase === 'installing' && offered) return t('update.installing', { version: offered })
  if (offered) return t('update.offered', { version: offered })
  if (!enabled) return t('update.off')
  return t(channel === 'hold' ? 'update.hold' : 'update.current')
}

/** Which version this station runs, what it waits for with a newer one, and what a person may say about that. */
export function UpdateBox() {
  const { connection, voice } = useApp()
  const { t } = voice
  useEffect(() => {
    void connection.lookForUpdate()
  }, [])
  const update = connection.update.value
  if (!update) return null
  return (
    <Box title={t('update.title')}>
      <p data-update={update.phase}>
        <strong>{t('update.version', { version: update.version })}</strong>
      </p>
      {update.phase === 'downloading' && update.offered ? (
        <Download update={update} />
      ) : (
        <p role="status">{restText(update, t)}</p>
      )}
      {update.why && update.why !== 'room' && <Waiting update={update} why={update.why} />}
      {update.trouble && (
        <Warning>
          <p>{t(`update-trouble.${update.trouble}`)}</p>
        </Warning>
      )}
      {update.failed && (
        <Warning>
          <p>
            {t(update.failed.reason === 'no room' ? 'update.no-room-left' : 'update.failed', {
              version: update.failed.version,
            })}
          </p>
        </Warning>
      )}
      {update.phase === 'waiting' && <Decision update={update} />}
    </Box>
  )
}

function Download({ update: { offered, progress } }: { readonly update: UpdateStatus }) {
  const { t } = useApp().voice
  const done = progress?.done ?? 0
  const total = Math.max(1, progress?.total ?? 1)
  const inMegabytes = (bytes: number) => Math.round(bytes / megabyte)
  return (
    <>
      <p id="update-progress" role="status">
        {t('update.downloading', { version: offered ?? '' })}
      </p>
      <ProgressBar aria-labelledby="update-progress" max={total} value={done} />
      <Aside>{t('update.progress', { done: inMegabytes(done), total: inMegabytes(total) })}</Aside>
    </>
  )
}

interface WaitingProps {
  readonly update: UpdateStatus
  readonly why: Exclude<UpdateHindrance, 'room'>
}

function Waiting({ update: { until }, why }: WaitingProps) {
  const { desk, voice } = useApp()
  const { t, language } = voice
  const zone = desk.state.value.station?.settings?.timezone ?? 'UTC'
  const time = until && formatMoment(until, new Date().toISOString(), zone, language)
  return (
    <>
      <Aside>{t(`update-why.${why}`)}</Aside>
      {time && why === 'doors' && <Aside>{t('update.until', { time })}</Aside>}
      {time && (why === 'today' || why === 'retry') && <Aside>{t('update.put-off', { time })}</Aside>}
    </>
  )
}

/** What is asked at the moment: nothing, whether it is meant, or the exit PIN. */
interface Asking {
  readonly step: 'nothing' | 'sure' | 'pin'
  readonly when: When
}

function Decision({ update }: { readonly update: UpdateStatus }) {
  const { connection, voice } = useApp()
  const { t } = voice
  const asking = useSignal<Asking>({ step: 'nothing', when: 'now' })
  const said = useSignal('')
  const { step, when } = asking.value

  async function decide(chosen: When): Promise<void> {
    asking.value = { step: 'nothing', when: chosen }
    said.value = await connection.decideUpdate(chosen)
  }
  // At a kiosk with an exit PIN, whoever knows that may say when.
  async function ask(chosen: When): Promise<void> {
    const state = await window.gatehouse?.state()
    if (state?.exitPin) asking.value = { step: 'pin', when: chosen }
    else await decide(chosen)
  }
  async function check(pin: string): Promise<void> {
    const answer = await window.gatehouse?.checkPin(pin)
    if (answer && !answer.ok) said.value = pinRefusal(t, answer)
    else await decide(when)
  }

  if (!update.may_now) return null
  return (
    <>
      {said.value !== '' && <ObjectionText>{said.value}</ObjectionText>}
      {step === 'sure' && <p>{t('update.sure')}</p>}
      {step === 'pin' && (
        <PinPad
          id="update-pin"
          label={t('update.pin')}
          confirm={t('shell.go-on')}
          longest={64}
          isAnyText
          onSend={check}
        >
          <NotNow asking={asking} />
        </PinPad>
      )}
      {step === 'nothing' && (
        <Buttons>
          <Button
            onPress={() => {
              asking.value = { step: 'sure', when: 'now' }
            }}
          >
            {t('update.now')}
          </Button>
          {update.why !== 'today' && (
            <Button onPress={() => void ask('not_today')}>{t('update.not-today')}</Button>
          )}
        </Buttons>
      )}
      {step === 'sure' && (
        <Buttons>
          <Button kind="primary" onPress={() => void ask('now')}>
            {t('update.now')}
          </Button>
          <NotNow asking={asking} />
        </Buttons>
      )}
    </>
  )
}

function NotNow({ asking }: { readonly asking: Signal<Asking> }) {
  const { t } = useApp().voice
  return (
    <Button
      icon="back"
      onPress={() => {
        asking.value = { step: 'nothing', when: 'now' }
      }}
    >
      {t('back')}
    </Button>
  )
}
