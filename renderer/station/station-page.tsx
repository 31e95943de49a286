import { useEffect } from 'preact/hooks'
import { Button } from '../parts/button.tsx'
import { useApp } from '../parts/context.ts'
import { ObjectionText } from '../parts/objection.tsx'
import { Columns, PageColumn, PageFrame } from '../parts/page.tsx'
import { isFirstLoad, isJoined } from '../upstream/connection-state.ts'
import { ConflictList } from './conflict-list.tsx'
import { Disconnect } from './disconnect.tsx'
import { FirstLoad } from './first-load.tsx'
import { LeaveProgram } from './leave-program.tsx'
import { LinkDetails } from './link-details.tsx'
import { Pairing } from './pairing.tsx'
import { PrinterList } from './printer-list.tsx'
import { QueueList } from './queue-list.tsx'
import { ReadinessList } from './readiness-list.tsx'
import style from './station-page.module.css'
import { UpdateBox } from './update-box.tsx'

/** All about this station and its upstream server, and what can be done about either. */
export function StationPage() {
  const { desk, connection, voice } = useApp()
  const { t } = voice
  const state = connection.state.value
  const { link, tab, objection } = state
  const joined = isJoined(state)

  useEffect(() => {
    void connection.refresh()
  }, [])
  // The lists follow the numbers that the server reports by itself.
  useEffect(() => {
    void connection.look()
  }, [tab, link?.queue, link?.parked, link?.conflicts])

  return (
    <PageFrame
      class={style.page}
      label={t('station.title')}
      title={t('station.title')}
      aside={
        <Button icon="back" onPress={() => desk.send({ type: 'at-station', open: false })}>
          {t('back')}
        </Button>
      }
    >
      <Columns>
        {objection !== '' && <ObjectionText>{objection}</ObjectionText>}
        <PageColumn>
          {state.pairing.open && !joined ? (
            <Pairing replaces />
          ) : isFirstLoad(state) ? (
            <FirstLoad />
          ) : (
            <LinkDetails />
          )}
          <ReadinessList />
          <PrinterList />
          <UpdateBox />
        </PageColumn>
        <PageColumn>
          <ConflictList />
          {(link?.upstream || (link?.parked ?? 0) > 0) && <QueueList />}
          {link?.upstream && <Disconnect />}
          <LeaveProgram />
        </PageColumn>
      </Columns>
    </PageFrame>
  )
}
