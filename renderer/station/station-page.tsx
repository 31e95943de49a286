import { useEffect } from 'preact/hooks'
import { Button } from '../parts/button.tsx'
import { useAround } from '../scanning/surroundings.ts'
import { ConflictList } from './conflict-list.tsx'
import { Disconnect } from './disconnect.tsx'
import { FirstLoad } from './first-load.tsx'
import { LinkDetails } from './link-details.tsx'
import { Pairing } from './pairing.tsx'
import { QueueList } from './queue-list.tsx'
import { ReadinessList } from './readiness-list.tsx'
import { isFirstLoad, isJoined } from './state.ts'

/** All about this station and the server above it, and what can be done about either. */
export function StationPage() {
  const { desk, connection, voice } = useAround()
  const { t } = voice
  const state = connection.state.value
  const { link, tab, objection } = state
  const joined = isJoined(state)

  useEffect(() => {
    void connection.refresh()
  }, [])
  // The lists follow the numbers that the server tells by itself.
  useEffect(() => {
    void connection.look()
  }, [tab, link?.queue, link?.parked, link?.conflicts])

  return (
    <section class="setup station-page" aria-label={t('station.title')}>
      <header>
        <h1>{t('station.title')}</h1>
        <Button icon="back" onPress={() => desk.send({ type: 'at-station', open: false })}>
          {t('back')}
        </Button>
      </header>
      <div class="columns">
        {objection !== '' && (
          <p class="objection" role="alert">
            {objection}
          </p>
        )}
        <div class="column">
          {state.pairing.open && !joined ? (
            <Pairing replaces />
          ) : isFirstLoad(state) ? (
            <FirstLoad />
          ) : (
            <LinkDetails />
          )}
          <ReadinessList />
        </div>
        <div class="column">
          <ConflictList />
          {(link?.upstream || (link?.parked ?? 0) > 0) && <QueueList />}
          {link?.upstream && <Disconnect />}
        </div>
      </div>
    </section>
  )
}
