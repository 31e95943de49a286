import { useEffect } from 'preact/hooks'
import { Button } from '../parts/button.tsx'
import { useApp } from '../parts/context.ts'
import style from './update-news.module.css'

/** Milliseconds that good news stay. */
const goodFor = 15_000

const texts = { updated: 'update.done', failed: 'update.failed', 'no room': 'update.no-room-left' } as const

/** What has become of an update: bad news stay until somebody has taken note of them. */
export function UpdateNewsBanner() {
  const { connection, voice } = useApp()
  const news = connection.updateNews.value
  useEffect(() => {
    if (news?.kind !== 'updated') return
    const timer = setTimeout(connection.tookNote, goodFor)
    return () => clearTimeout(timer)
  }, [news])
  return (
    <div role="status">
      {news && (
        <section class={style.news} data-update-news={news.kind}>
          <p>{voice.t(texts[news.kind], { version: news.version })}</p>
          <Button onPress={connection.tookNote}>{voice.t('alert.done')}</Button>
        </section>
      )}
    </div>
  )
}
