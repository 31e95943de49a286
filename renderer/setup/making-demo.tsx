import { useRef } from 'preact/hooks'
import type { DemoProgress } from '../../schema/bodies/station-state.ts'
import { Button } from '../parts/button.tsx'
import { useApp } from '../parts/context.ts'
import { Hint, Lead, Panel } from '../parts/page.tsx'
import { ProgressBar } from '../parts/progress.tsx'
import { secondsLeft } from '../text/format.ts'

interface Props {
  readonly progress: DemoProgress
  readonly onRetry: () => void
}

/** How far the demo event has come, and how long it will still take. */
export function MakingDemo({ progress, onRetry }: Props) {
  const { voice } = useApp()
  const { t } = voice
  const start = useRef<{ readonly at: number; readonly done: number } | null>(null)
  start.current ??= { at: performance.now(), done: progress.done }
  if (progress.state === 'failed')
    return (
      <Panel role="alert">
        <Lead>{t('demo.failed')}</Lead>
        {progress.message && <Hint>{progress.message}</Hint>}
        <Button kind="primary" icon="turn" onPress={onRetry}>
          {t('retry')}
        </Button>
      </Panel>
    )
  const since = start.current
  const left = secondsLeft(
    performance.now() - since.at,
    progress.done - since.done,
    progress.total - since.done,
  )
  return (
    <Panel>
      <Lead id="demo-making">{t('demo.making')}</Lead>
      <ProgressBar aria-labelledby="demo-making" max={Math.max(1, progress.total)} value={progress.done} />
      <Hint>
        <span>{t('demo.done', { done: progress.done, total: progress.total })}</span>
        <span role="status">{left === null ? t('demo.soon') : t('demo.left', { count: left })}</span>
      </Hint>
    </Panel>
  )
}
