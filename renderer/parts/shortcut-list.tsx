import { shortcuts } from '../scanning/shortcuts.ts'
import { useApp } from './context.ts'
import style from './shortcut-list.module.css'

/** The keys that work on the entrance screen. */
export function ShortcutList() {
  const { t } = useApp().voice
  return (
    <div class={style.shortcuts}>
      <h2>{t('shortcuts.title')}</h2>
      <dl>
        {Object.entries(shortcuts).map(([name, key]) => (
          <div key={name}>
            <dt>
              <kbd>{key === 'Escape' ? 'Esc' : key}</kbd>
            </dt>
            <dd>{t(`shortcuts.${name as keyof typeof shortcuts}`)}</dd>
          </div>
        ))}
      </dl>
    </div>
  )
}
