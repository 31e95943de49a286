import { useApp } from '../parts/context.ts'
import { Icon } from '../parts/icon.tsx'
import style from './scanner-check.module.css'

/** Finds out whether a keyboard scanner and this computer speak the same keyboard language, and puts it right. */
export function ScannerCheck() {
  const { voice, check } = useApp()
  const { t } = voice
  return (
    <div class={style.check} data-check={check}>
      <h2>{t('check.title')}</h2>
      <img src="/scanner-check.svg" width="150" height="150" alt={t('check.alt')} />
      <p role="status">
        {check !== 'none' && <Icon name={check === 'bad' ? 'close' : 'check'} />}
        {t(`check.${check}`)}
      </p>
    </div>
  )
}
