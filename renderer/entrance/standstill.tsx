import type { Standstill } from '../../schema/updates/standstill.ts'
import { useApp } from '../parts/context.ts'
import type { Voice } from '../scanning/wording.ts'
import { Headline, NextStep, ResultLayout } from './result-layout.tsx'
import style from './standstill.module.css'

interface Words {
  readonly title: string
  readonly next: string
}

const megabyte = 1_000_000

function wordsOf(standstill: Exclude<Standstill, { readonly reason: 'update_trial' }>, t: Voice['t']): Words {
  const { version } = standstill
  switch (standstill.reason) {
    case 'newer_database': {
      const { written_by: writer } = standstill
      return {
        title: t('standstill.newer'),
        next:
          writer === null
            ? t('standstill.newer.next', { version })
            : t('standstill.newer.next.by', { version, writer }),
      }
    }
    case 'disk_full': {
      const count = Math.ceil(standstill.missing / megabyte)
      return { title: t('standstill.full'), next: t('standstill.full.next', { count }) }
    }
  }
}

/** The station's server answers and does not work: why, and what a person does about it. */
export function StandstillScreen({ standstill }: { readonly standstill: Standstill }) {
  const { t } = useApp().voice
  const { reason, version } = standstill
  if (reason === 'update_trial') return <UpdateScreen version={version} step="try" />
  const { title, next } = wordsOf(standstill, t)
  return (
    <ResultLayout look="failed" shape="failed" reason={reason} label={title} buttons={null}>
      <div class={style.words} role="alert">
        <Headline>{title}</Headline>
        <NextStep>{next}</NextStep>
      </div>
    </ResultLayout>
  )
}

interface UpdateProps {
  readonly version: string
  readonly step: 'install' | 'try'
}

/** Another version is on its way: how far it is, and that nobody has to do anything. */
export function UpdateScreen({ version, step }: UpdateProps) {
  const { t } = useApp().voice
  const title = t('standstill.update', { version })
  return (
    <ResultLayout look="failed" shape="waiting" reason="update_trial" label={title} buttons={null}>
      <div class={style.words} role="status">
        <Headline>{title}</Headline>
        <NextStep>{t(`standstill.update.${step}`)}</NextStep>
        <NextStep>{t('standstill.update.next')}</NextStep>
      </div>
    </ResultLayout>
  )
}
