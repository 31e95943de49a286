import { shortcuts, tillShortcuts } from '../scanning/shortcuts.ts'
import { useApp } from './context.ts'
import style from './shortcut-list.module.css'

/** The keys that work on the entrance screen, or at a till. */
export function ShortcutList({ isTill = false }: { readonly isTill?: boolean }) {
  const { t } = useApp().voice
  const keys = isTill
    ? [
        ...Object.entries(tillShortcuts).map(([name, key]) => ({
          key,
          text: t(`till-keys.${name as keyof typeof tillShortcuts}`),
        })),
        { key: '1 … 9', text: t('till-keys.quantity') },
      ]
    : Object.entries(shortcuts).map(([name, key]) => ({
        key,
        text: t(`shortcuts.${name as keyof typeof shortcuts}`),
      }))
  return (
    <div class={style.shortcuts}>
      <h2>{t('shortcuts.title')}</h2>
      <dl>
        {keys.map(({ key, text }) => (
          <div key={key}>
            <dt>
              <kbd>{key === 'Escape' ? 'Esc' : key}</kbd>
            </dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </div>
  )
}
