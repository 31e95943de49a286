import '../parts/base.css'
import { signal } from '@preact/signals'
import { render } from 'preact'
import type { CustomerDisplay } from '../../schema/bodies/customer-display.ts'
import { languageOf } from '../../schema/texts/translate.ts'
import { displayPage, displayStream, openDisplayApi } from '../api/display-api.ts'
import { listen } from '../api/live.ts'
import { speak } from '../text/spoken-language.ts'
import { Display } from './display.tsx'

const till = new URLSearchParams(location.search).get('till') ?? ''
/** What a till writes behind the # of the link: nothing there is sent, logged or referred to. */
const [, key] = /^#key=([\w-]+)$/.exec(location.hash) ?? []
if (key !== undefined) {
  history.replaceState(null, '', displayPage(till))
  await openDisplayApi().open(till, key)
}

const shown = signal<CustomerDisplay | null>(null)
listen<{ shown: CustomerDisplay }>(
  {
    shown: (now) => {
      shown.value = now
    },
  },
  {
    opened: () => undefined,
    // What a till does that cannot be heard is not known any more.
    broken: () => {
      shown.value = null
    },
  },
  displayStream(till),
)

const root = document.getElementById('app')
const spoken = speak(() => languageOf(shown.value?.locale, ...navigator.languages), {
  after: (milliseconds, then) => setTimeout(then, milliseconds),
})
if (root) render(<Display shown={shown} spoken={spoken} />, root)
